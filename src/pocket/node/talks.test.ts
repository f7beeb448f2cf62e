import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { ContainerRun } from './container/index.ts';
import type { Listener } from './container/output.ts';
import { attached } from './talks.ts';

/** A container that says what the test says. */
function speaking(container: Partial<ContainerRun['container']> = {}) {
  const listeners = new Set<Listener>();
  const { promise: ended, resolve: end } = Promise.withResolvers<{ exitCode: number }>();
  const input = new PassThrough();
  const run = {
    container: { name: 'c', ...container },
    process: { input, resize: () => undefined },
    output: { listen: (one: Listener) => (listeners.add(one), () => listeners.delete(one)) },
    ended,
  } as unknown as ContainerRun;
  const say = (stream: 'stdout' | 'stderr', text: Buffer | string): void => {
    for (const listener of listeners) listener(stream, Buffer.from(text));
  };
  return { run, say, end, listeners, input };
}

describe('a client that is attached to a container', () => {
  it('hears both streams to the end', async () => {
    const { run, say, end, listeners } = speaking();
    const talk = attached(run, false);
    say('stdout', 'out');
    say('stderr', 'err');
    end({ exitCode: 3 });
    expect(await talk.ended).toEqual({ code: 0 });
    expect([String(talk.output.read()), String(talk.errors?.read())]).toEqual(['out', 'err']);
    expect(listeners.size).toBe(0);
  });

  it('is left behind when it does not read, instead of filling the memory', async () => {
    const { run, say, listeners } = speaking();
    const talk = attached(run, false);
    const chunk = Buffer.alloc(1024 * 1024);
    let said = 0;
    while (listeners.size > 0 && said < 100) {
      say('stdout', chunk);
      said += 1;
    }
    expect(said).toBeLessThan(20);
    expect(await talk.ended).toMatchObject({ failure: expect.stringContaining('reads more slowly') as string });
  });

  it('leaves the input open for the next one, unless it is meant for one only', () => {
    for (const stdinOnce of [false, true]) {
      const { run, input, listeners } = speaking({ stdin: true, stdinOnce });
      attached(run, true).leave();
      expect([input.writableEnded, listeners.size]).toEqual([stdinOnce, 0]);
    }
  });
});
