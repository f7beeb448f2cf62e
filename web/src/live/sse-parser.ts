export interface SseEvent {
  event: string;
  data: string;
  id?: string;
}

/** Lines of `text/event-stream` into events, whatever pieces they arrive in. */
export class SseParser {
  #rest = '';
  #event = '';
  #data: string[] = [];
  #id: string | undefined;

  push(piece: string): SseEvent[] {
    const lines = (this.#rest + piece).split(/\r\n|\n|\r(?!$)/);
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#line(line));
  }

  #line(line: string): SseEvent[] {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    return [];
  }

  #dispatch(): SseEvent[] {
    const [event, data, id] = [this.#event || 'message', this.#data, this.#id];
    this.#event = '';
    this.#data = [];
    if (data.length === 0) return [];
    return [{ event, data: data.join('\n'), ...(id === undefined ? {} : { id }) }];
  }
}
