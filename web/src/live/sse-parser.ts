import { AppError } from '../../../src/base/index.ts';

export interface SseEvent {
  event: string;
  data: string;
  id?: string;
}

/** A snapshot of 500 operations is a fraction of it. A stream without an end of its line must not fill the browser. */
const MAX_EVENT = 64 * 1024 * 1024;

/** Lines of `text/event-stream` into events, whatever pieces they arrive in. */
export class SseParser {
  readonly #maxEvent: number;
  /** The line that has begun, in pieces: to look through all of it again with every one would take ever longer. */
  #begun: string[] = [];
  /** Of the event that has begun. */
  #length = 0;
  #event = '';
  #data: string[] = [];
  #id: string | undefined;

  constructor(maxEvent: number = MAX_EVENT) {
    this.#maxEvent = maxEvent;
  }

  push(piece: string): SseEvent[] {
    // A return at the end may be half of a line's end; it waits for what follows.
    const held = this.#begun.at(-1) === '\r' ? (this.#begun.pop() ?? '') : '';
    const text = held + piece;
    const isHalf = text.endsWith('\r');
    const [first = '', ...others] = (isHalf ? text.slice(0, -1) : text).split(/\r\n|\n|\r/);
    this.#add(first);
    const events: SseEvent[] = [];
    for (const next of others) {
      events.push(...this.#line(this.#begun.join('')));
      this.#begun = [];
      this.#add(next);
    }
    if (isHalf) this.#begun.push('\r');
    return events;
  }

  #add(piece: string): void {
    this.#begun.push(piece);
    this.#length += piece.length;
    if (this.#length <= this.#maxEvent) return;
    throw new AppError('tooLarge', `read events: one is longer than ${String(this.#maxEvent)} characters`);
  }

  #line(line: string): SseEvent[] {
    if (line === '') return this.#dispatch();
    const [, field, value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (field === 'event') this.#event = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id') this.#id = value;
    return [];
  }

  #dispatch(): SseEvent[] {
    const [event, data, id] = [this.#event || 'message', this.#data, this.#id];
    this.#event = '';
    this.#data = [];
    this.#length = 0;
    if (data.length === 0) return [];
    return [{ event, data: data.join('\n'), ...(id === undefined ? {} : { id }) }];
  }
}
