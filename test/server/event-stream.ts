import type { IncomingMessage } from 'node:http';
import { createGunzip } from 'node:zlib';
import { eventually } from '../eventually.ts';

export interface StreamEvent {
  event: string;
  id: string | undefined;
  data: Record<string, unknown>;
}

/** Collects the events of an open stream; ends with `close`. */
export class EventStream {
  readonly events: StreamEvent[] = [];
  hasEnded = false;
  readonly #response: IncomingMessage;

  constructor(response: IncomingMessage) {
    this.#response = response;
    const text = response.headers['content-encoding'] === 'gzip' ? response.pipe(createGunzip()) : response;
    let rest = '';
    text.on('data', (chunk: Buffer) => {
      const blocks = (rest + chunk.toString('utf8')).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) this.events.push(parse(block));
    });
    // The end of a stream that was cut in the middle of a block is an error to gunzip, and an end to us.
    for (const source of [text, response]) {
      source.on('error', () => undefined);
      source.on('close', () => (this.hasEnded = true));
      source.on('end', () => (this.hasEnded = true));
    }
  }

  named(event: string): StreamEvent[] {
    return this.events.filter((each) => each.event === event);
  }

  async next(event: string, isIt: (data: Record<string, unknown>) => boolean = () => true): Promise<StreamEvent> {
    return await eventually(() => {
      const found = this.events.find((each) => each.event === event && isIt(each.data));
      if (found === undefined)
        throw new Error(`no such ${event} among ${this.events.map((each) => each.event).join(' ')}`);
      return found;
    });
  }

  close(): void {
    this.#response.destroy();
  }
}

function parse(block: string): StreamEvent {
  const field = (name: string): string | undefined => new RegExp(`^${name}: (.*)$`, 'm').exec(block)?.[1];
  return {
    event: field('event') ?? '',
    id: field('id'),
    data: JSON.parse(field('data') ?? '{}') as Record<string, unknown>,
  };
}
