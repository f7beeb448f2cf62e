import { describe, expect, it } from 'vitest';
import { SseParser } from './sse-parser.ts';

describe('SseParser', () => {
  const stream = 'event: snapshot\nid: e-1\ndata: {"a":1}\n\n: comment\n\nevent: heartbeat\ndata: {}\n\n';

  it('reads the same events from whatever pieces arrive', () => {
    const whole = new SseParser().push(stream);
    for (let size = 1; size < stream.length; size += 1) {
      const parser = new SseParser();
      const pieces = Array.from({ length: Math.ceil(stream.length / size) }, (_, at) =>
        stream.slice(at * size, (at + 1) * size),
      );
      expect(pieces.flatMap((piece) => parser.push(piece))).toEqual(whole);
    }
    expect(whole).toEqual([
      { event: 'snapshot', data: '{"a":1}', id: 'e-1' },
      { event: 'heartbeat', data: '{}', id: 'e-1' },
    ]);
  });

  it('joins lines of data and understands every line ending', () => {
    expect(new SseParser().push('data: a\r\ndata:b\r\n\r\n')).toEqual([{ event: 'message', data: 'a\nb' }]);
  });
});
