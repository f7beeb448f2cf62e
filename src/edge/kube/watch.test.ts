import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { eventually } from '../../../test/eventually.ts';
import { impatientClock, transportTo } from '../../../test/kube-transport.ts';
import { ScriptedServer, status, Streaming } from '../../../test/scripted-server/index.ts';
import type { WatchEvent, WatchOptions } from './port.ts';
import type { Transport } from './transport/transport.ts';
import { watch } from './watch.ts';

const backups = { group: 'velero.io', version: 'v1', kind: 'Backup', plural: 'backups', namespaced: true };
const PATH = '/apis/velero.io/v1/namespaces/velero/backups';

let server: ScriptedServer;
let transport: Transport;
let stream: Streaming;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
  stream = new Streaming();
  server.push(stream.answer);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

function object(name: string, resourceVersion: string): Record<string, unknown> {
  return { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name, resourceVersion } };
}

/** Reads in the background; `seen` grows while the stream is open. */
function start(options: WatchOptions = {}): { seen: WatchEvent[]; end: Promise<string> } {
  const seen: WatchEvent[] = [];
  const read = async (): Promise<string> => {
    const events = watch({ transport, clock: impatientClock }, { type: backups, namespace: 'velero' }, options);
    for await (const event of events) seen.push(event);
    return 'ended';
  };
  const end = read();
  // Some tests look at `seen` first; the rejection is awaited later.
  end.catch(() => undefined);
  return { seen, end };
}

describe('watch', () => {
  it('asks for bookmarks from a version on, and gives every event with its version', async () => {
    const { seen, end } = start({ resourceVersion: '5', labelSelector: 'a=b' });
    await stream.line({ type: 'ADDED', object: object('a', '6') });
    await stream.line({ type: 'MODIFIED', object: { ...object('a', '7'), spec: { big: 9007199254740993n } } });
    await stream.line({ type: 'BOOKMARK', object: { kind: 'Backup', metadata: { resourceVersion: '9' } } });
    await stream.line({ type: 'DELETED', object: object('a', '10') });
    await stream.end();
    expect(await end).toBe('ended');
    expect(seen.map((event) => [event.type, event.resourceVersion])).toEqual([
      ['ADDED', '6'],
      ['MODIFIED', '7'],
      ['BOOKMARK', '9'],
      ['DELETED', '10'],
    ]);
    expect(seen[1]).toMatchObject({ object: { spec: { big: 9007199254740993n } } });
    expect(seen[2]).not.toHaveProperty('object');
    expect(server.requests[0]!.path).toBe(PATH);
    expect(Object.fromEntries(server.requests[0]!.query)).toEqual({
      watch: 'true',
      allowWatchBookmarks: 'true',
      timeoutSeconds: '60',
      resourceVersion: '5',
      labelSelector: 'a=b',
    });
  });

  it('gives an event at once, also when it comes in pieces and in the middle of a character', async () => {
    const { seen } = start();
    const bytes = Buffer.from(`${JSON.stringify({ type: 'ADDED', object: object('müsli', '1') })}\n`);
    const middle = bytes.indexOf('ü') + 1;
    await stream.write(bytes.subarray(0, middle));
    await stream.write(bytes.subarray(middle));
    await eventually(() => {
      expect(seen).toMatchObject([{ object: { metadata: { name: 'müsli' } } }]);
    });
  });

  it('says `gone` for a 410 in the stream, after the events before it', async () => {
    const { seen, end } = start();
    await stream.line({ type: 'ADDED', object: object('a', '1') });
    await stream.line({ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', message: 'too old' } });
    await expect(end).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringContaining('too old') as string,
      details: { status: { reason: 'Expired' } },
    });
    expect(seen).toHaveLength(1);
    await stream.closed;
  });

  it.each([
    [500, 'InternalError', 'serverError'],
    [429, 'TooManyRequests', 'throttled'],
    [403, 'Forbidden', 'forbidden'],
  ])('translates an ERROR event of code %i', async (code, reason, expected) => {
    const { end } = start();
    await stream.line({ type: 'ERROR', object: { kind: 'Status', code, reason, message: 'no' } });
    await expect(end).rejects.toMatchObject({ code: expected });
  });

  it('says `unreachable` when the connection is killed', async () => {
    const { seen, end } = start();
    await stream.line({ type: 'ADDED', object: object('a', '1') });
    await eventually(() => {
      expect(seen).toHaveLength(1);
    });
    await stream.kill();
    await expect(end).rejects.toMatchObject({ code: 'unreachable' });
  });

  it.each([
    ['broken', '{"type":"ADDED","object":{"data":{"key":"hunter2" oops}}}\n', 'badAnswer'],
    ['of an unknown type', '{"type":"NEW","object":{"data":{"key":"hunter2"}}}\n', 'badAnswer'],
    ['cut off', '{"object":{"data":{"key":"hunter2', 'unreachable'],
  ])('never quotes an event that is %s, because it may be a Secret', async (_what, text, code) => {
    const { end } = start();
    await stream.write(text);
    await stream.end();
    const error: unknown = await end.catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code });
    expect(inspect(error)).not.toContain('hunter2');
  });

  it('says `unreachable` when a clean end cuts an event', async () => {
    const { end } = start();
    await stream.write('{"type":"ADDED","object":{"meta');
    await stream.end();
    await expect(end).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('in the middle of an event') as string,
    });
  });

  it('says `timeout` when nothing comes, and drops the half-open connection', async () => {
    const { end } = start({ inactivityMs: 50 });
    const message = new RegExp(`^WATCH .* at ${server.url} \\(test server .*\\): expected a byte within 50 ms`);
    await expect(end).rejects.toMatchObject({ code: 'timeout', message: expect.stringMatching(message) as string });
    await stream.closed;
  });

  it('is kept alive by bookmarks', async () => {
    const { seen, end } = start({ inactivityMs: 200 });
    const beat = setInterval(() => {
      void stream.line({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '1' } } });
    }, 40);
    // Ten beats take twice as long as the limit.
    await eventually(() => {
      expect(seen.length).toBeGreaterThanOrEqual(10);
    });
    clearInterval(beat);
    await stream.end();
    expect(await end).toBe('ended');
  });

  it('does not take the time its reader needs for silence', async () => {
    const read = async (): Promise<number> => {
      let count = 0;
      const target = { type: backups, namespace: 'velero' };
      for await (const event of watch({ transport, clock: impatientClock }, target, { inactivityMs: 50 })) {
        const began = performance.now();
        // Work that takes longer than the limit.
        await eventually(() => {
          expect(performance.now() - began).toBeGreaterThan(150);
        });
        count += event.type === 'ADDED' ? 1 : 0;
      }
      return count;
    };
    const count = read();
    await stream.line({ type: 'ADDED', object: object('a', '1') });
    await stream.end();
    expect(await count).toBe(1);
  });

  it('refuses a line without end before it fills memory', async () => {
    const { end } = start();
    const mebibyte = 'x'.repeat(1 << 20);
    // The client hangs up at some point, and then nobody answers the writer.
    for (let i = 0; i < 40; i += 1) {
      await Promise.race([stream.closed, stream.write(mebibyte).catch(() => undefined)]);
    }
    await expect(end).rejects.toMatchObject({ code: 'tooLarge' });
    await stream.closed;
  });

  it.each([
    ['no JSON', '<html>\n'],
    ['an unknown type', '{"type":"RENAMED","object":{}}\n'],
    ['an event without an object', '{"type":"ADDED"}\n'],
    ['an array', '[]\n'],
  ])('refuses %s', async (_what, line) => {
    const { end } = start();
    await stream.write(line);
    await expect(end).rejects.toMatchObject({ code: 'badAnswer' });
  });

  it('ends promptly with the reason of an abort', async () => {
    const stop = new AbortController();
    const { end } = start({ signal: stop.signal });
    await stream.opened;
    const reason = new Error('stop');
    stop.abort(reason);
    await expect(end).rejects.toBe(reason);
    await stream.closed;
  });

  it('drops the connection when the reader stops', async () => {
    await Promise.all([
      stream.line({ type: 'ADDED', object: object('a', '1') }),
      (async () => {
        const events = watch({ transport, clock: impatientClock }, { type: backups });
        await events.next();
        await events.return(undefined);
      })(),
    ]);
    await stream.closed;
    expect(server.requests[0]!.path).toBe('/apis/velero.io/v1/backups');
  });
});

describe('watch that does not begin', () => {
  let other: ScriptedServer;
  beforeEach(async () => {
    other = await ScriptedServer.start();
  });
  afterEach(() => other.stop());

  it('says `gone` for 410 as HTTP status', async () => {
    other.push(status(410, 'Expired', 'too old resource version: 1 (500)'));
    const own = transportTo(other.url);
    const events = watch({ transport: own, clock: impatientClock }, { type: backups });
    await expect(collect(events)).rejects.toMatchObject({ code: 'gone' });
    await own.close();
  });

  it('waits out a 429', async () => {
    const late = new Streaming();
    other.push(status(429, 'TooManyRequests', 'later', { headers: { 'retry-after': '1' } }), late.answer);
    const own = transportTo(other.url);
    const events = collect(watch({ transport: own, clock: impatientClock }, { type: backups }));
    await late.line({ type: 'ADDED', object: object('a', '1') });
    await late.end();
    expect(await events).toHaveLength(1);
    await own.close();
  });
});
