import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collect } from '../../../../test/collect.ts';
import { impatientClock, transportTo } from '../../../../test/kube-transport.ts';
import { RUNNING, ScriptedLog } from '../../../../test/scripted-log.ts';
import { ScriptedServer, status, Streaming } from '../../../../test/scripted-server/index.ts';
import { logs, type LogDeps } from './logs.ts';
import type { LogLine, LogOptions } from '../port.ts';
import { get } from '../rest/rest.ts';
import type { Transport } from '../transport/transport.ts';

const POD = '/api/v1/namespaces/shop/pods/db-0';
const pod = { namespace: 'shop', name: 'db-0', container: 'main' };

let server: ScriptedServer;
let transport: Transport;
let log: ScriptedLog;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
  log = new ScriptedLog(server, POD);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

function read(options: LogOptions = {}, more: Partial<LogDeps> = {}): AsyncGenerator<LogLine> {
  const kube: LogDeps['kube'] = { get: (target, call) => get(transport, target, call) };
  return logs({ transport, clock: impatientClock, random: () => 0, kube, ...more }, pod, options);
}
/** The lines as the server writes them, to compare with the file. */
async function readBack(options: LogOptions = {}, more: Partial<LogDeps> = {}): Promise<string[]> {
  const lines = await collect(read(options, more));
  return lines.map(({ time, line }) => (time === undefined ? `${line}\n` : `${time} ${line}\n`));
}

/** A line written this many nanoseconds after noon. */
function at(nanos: number, text: string): string {
  const fraction = String(nanos % 1e9).padStart(9, '0');
  return `${new Date(Date.UTC(2026, 0, 1, 12) + Math.floor(nanos / 1e9) * 1000).toISOString().slice(0, 19)}.${fraction}Z ${text}\n`;
}

const SMALL = [
  at(0, 'boot'),
  at(5, 'same time'),
  at(5, 'same time'),
  at(5, 'same time, other words'),
  at(999_999_999, 'ümläut 🚀'),
  at(1_000_000_000, ''),
  at(999_999_990, 'stderr, stamped before the line above'),
  at(2_500_000_000, 'a  b'),
];

const TINY = [at(999_999_999, 'ü'), at(999_999_999, 'ü'), at(1_000_000_000, ''), at(999_999_998, 'late')];

describe('logs, following', () => {
  it.each(['killed', 'clean'] as const)(
    'gives every line once when the connection is %s at any byte',
    async (end) => {
      log.lines = TINY;
      for (let bytes = 0; bytes <= Buffer.byteLength(log.text); bytes += 1) {
        log.connections = [{ bytes, end }];
        expect(await readBack({ follow: true }), `ended at byte ${String(bytes)}`).toEqual(TINY);
      }
    },
    60_000,
  );

  it('gives every line once whatever the times, the words and the breaks', async () => {
    // Two threads that stamp one file can produce steps backwards of less than a second.
    const line = fc.record({
      step: fc.constantFrom(0, 0, 1, 1000, 400_000_000, 1_500_000_000, -1, -300_000_000),
      text: fc.constantFrom('', 'x', 'y', '2026-01-01T12:00:00Z not a time of its own'),
    });
    const connection = fc.record({
      written: fc.nat(30),
      bytes: fc.nat(1200),
      end: fc.constantFrom('killed' as const, 'clean' as const),
    });
    const scenario = fc.record({
      steps: fc.array(line, { maxLength: 30 }),
      breaks: fc.array(connection, { maxLength: 5 }),
      tail: fc.option(fc.nat(5), { nil: undefined }),
      left: fc.nat(5),
    });
    await fc.assert(
      fc.asyncProperty(scenario, async ({ steps, breaks, tail, left }) => {
        let nanos = 10_000_000_000;
        let latest = nanos;
        log.lines = steps.map(({ step, text }, i) => {
          nanos = Math.max(latest - 300_000_000, nanos + step);
          latest = Math.max(latest, nanos);
          // Lines equal to the first line of a tail look as if they had already come.
          return at(nanos, tail === undefined ? text : `${text} ${String(i)}`);
        });
        // The file only grows. With a tail it does not change, so that the expected lines are known.
        const size = log.lines.length;
        const written = breaks.map((one) => (tail === undefined ? Math.min(one.written, size) : size));
        log.leftAtTheEnd = Math.min(left, breaks.length);
        // Readings of a tail or of a finished log are trusted when two agree, so they do not lie here.
        const isFollowing = (i: number): boolean => tail === undefined && i < breaks.length - log.leftAtTheEnd;
        log.connections = breaks.map(({ bytes, end }, i) => ({
          written: isFollowing(i) ? Math.max(...written.slice(0, i + 1)) : size,
          bytes,
          end: isFollowing(i) ? end : 'killed',
        }));
        const expected = tail === undefined ? log.lines : log.lines.slice(Math.max(0, size - tail));
        const options = { follow: true, ...(tail === undefined ? {} : { tail }) };
        // Clocks that ran backwards across the tail's first line are the one case that cannot be handled.
        fc.pre(
          tail === undefined ||
            log.lines.every((text, i) => i === 0 || text.slice(0, 30) >= log.lines[i - 1]!.slice(0, 30)),
        );
        expect(await readBack(options)).toEqual(expected);
      }),
      { numRuns: 150 },
    );
  }, 60_000);

  it('remembers no more than it must, and still repeats nothing', async () => {
    // Far more lines in the last second than are remembered individually.
    log.lines = Array.from({ length: 20_000 }, (_, i) => at(i * 10, `line ${String(i % 7)}`));
    log.connections = [
      { bytes: 450_000, end: 'killed' },
      { bytes: 650_001, end: 'killed' },
    ];
    const lines = await readBack({ follow: true });
    expect(lines.length).toBe(log.lines.length);
    expect(lines).toEqual(log.lines);
  });

  it('asks from a second before the newest line on', async () => {
    log.lines = SMALL;
    log.connections = [{ end: 'killed' }];
    await readBack({ follow: true });
    const queries = log.asked.map(({ query }) => Object.fromEntries(query));
    const ask = { container: 'main', timestamps: 'true' };
    expect(queries).toEqual([
      { ...ask, follow: 'true' },
      { ...ask, previous: 'false', sinceTime: '2026-01-01T12:00:01Z' },
      { ...ask, previous: 'false', sinceTime: '2026-01-01T12:00:01Z' },
    ]);
  });

  it('gets what was written between the break and the end of the container', async () => {
    log.lines = SMALL;
    log.connections = [{ written: 2, end: 'clean' }];
    expect(await readBack({ follow: true })).toEqual(SMALL);
  });

  it('does not believe one early end in peace of the last reading', async () => {
    log.lines = SMALL;
    for (const bytes of [0, 20, 36, 100, 250]) {
      log.connections = [
        { written: 2, end: 'killed' },
        { bytes, end: 'clean' },
      ];
      log.leftAtTheEnd = 1;
      expect(await readBack({ follow: true })).toEqual(SMALL);
    }
  });

  it('ends also when the file was rotated, so that known lines do not come again', async () => {
    log.lines = SMALL;
    const lines = read({ follow: true });
    expect(await lines.next()).toMatchObject({ value: { line: 'boot' } });
    log.lines = SMALL.slice(4);
    const rest = await collect(lines);
    expect(rest.map(({ line }) => line)).toEqual(SMALL.slice(1).map((line) => line.slice(31, -1)));
  });

  it('waits while the pod still says running after its log ended', async () => {
    log.lines = SMALL;
    log.connections = [{ end: 'clean' }, { end: 'clean' }, { end: 'clean' }];
    expect(await readBack({ follow: true })).toEqual(SMALL);
    expect(log.asked).toHaveLength(4);
  });

  it('gives a last line without a newline only when it is the last', async () => {
    log.lines = [at(0, 'a'), at(1, 'half, then whole')];
    const partial = Buffer.byteLength(log.text) - 7;
    log.connections = [{ bytes: partial, end: 'clean' }];
    expect(await readBack({ follow: true })).toEqual(log.lines);
    log.lines = [at(0, 'a'), at(1, 'never ended').trimEnd()];
    expect(await readBack({ follow: true })).toEqual([log.lines[0], `${log.lines[1]!}\n`]);
  });

  it('reads the rest of a run that was restarted since from the previous log', async () => {
    log.lines = SMALL;
    log.connections = [{ bytes: 100, end: 'killed' }];
    log.after = { ...RUNNING, restartCount: 1 };
    expect(await readBack({ follow: true })).toEqual(SMALL);
    expect(log.asked.map(({ query }) => query.get('previous'))).toEqual([null, 'true', 'true']);
  });

  it('ends with the run, also when the container waits to be started again', async () => {
    log.lines = SMALL;
    log.connections = [{ end: 'clean' }];
    log.after = { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: { terminated: { exitCode: 1 } } };
    expect(await readBack({ follow: true })).toEqual(SMALL);
  });

  it.each([
    ['restarted twice', { ...RUNNING, restartCount: 2 }],
    ['another pod of that name', { ...RUNNING, uid: 'u2' }],
    ['deleted', 'deleted' as const],
  ])('says that lines are lost when the connection broke and the pod is %s', async (_what, after) => {
    log.lines = SMALL;
    log.connections = [{ bytes: 100, end: 'killed' }];
    log.after = after;
    await expect(readBack({ follow: true })).rejects.toMatchObject({ code: 'gone' });
  });

  it('takes a clean end and a deleted pod for the end', async () => {
    log.lines = [at(0, 'a'), at(1, 'no newline').trimEnd()];
    log.connections = [{ end: 'clean' }];
    log.after = 'deleted';
    expect(await readBack({ follow: true })).toEqual([log.lines[0], `${log.lines[1]!}\n`]);
  });

  it('opens a connection anew that may be half open', async () => {
    log.lines = SMALL;
    const quiet = new Streaming();
    server.on(`GET ${POD}/log`, quiet.answer);
    expect(await readBack({ follow: true }, { quietMs: 50 })).toEqual(SMALL);
    await quiet.closed;
  });

  it('gives up when nothing ever comes', async () => {
    log.connections = Array.from({ length: 100 }, () => ({ end: 'killed' as const }));
    await expect(readBack({ follow: true })).rejects.toMatchObject({ code: 'unreachable' });
    log.connections = Array.from({ length: 100 }, () => ({ end: 'clean' as const }));
    await expect(readBack({ follow: true })).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ended the log early') as string,
    });
  });

  it('does not give up when it is told to be patient, and still gives every line once', async () => {
    log.lines = SMALL;
    const away = Array.from({ length: 60 }, () => ({ written: 2, end: 'killed' as const }));
    log.connections = [{ written: 2, end: 'killed' }, ...away];
    expect(await readBack({ follow: true, isPatient: true })).toEqual(SMALL);
  });

  it('does not count tries that brought a line', async () => {
    log.lines = Array.from({ length: 60 }, (_, i) => at(i * 2_000_000_000, `line ${String(i)}`));
    log.connections = log.lines.map((_, i) => ({ written: i + 1, end: 'killed' as const }));
    expect(await readBack({ follow: true })).toEqual(log.lines);
  });

  it('outlives a server that cannot say how the pod is', async () => {
    log.lines = SMALL;
    log.connections = [{ bytes: 100, end: 'killed' }];
    const busy = Array.from({ length: 7 }, () => status(503, 'ServiceUnavailable'));
    const lines = read({ follow: true });
    await lines.next();
    server.on(`GET ${POD}`, ...busy);
    expect(await collect(lines)).toHaveLength(SMALL.length - 1);
  });
});

describe('logs, following a tail', () => {
  it.each([
    [0, SMALL.slice(5)],
    [2, SMALL.slice(3)],
    [99, SMALL],
  ])('gives the last %i lines there are and all that follow', async (tail, expected) => {
    log.lines = SMALL;
    // The tail is read when five lines exist; the first follow breaks before a byte arrived.
    log.connections = [
      { written: 5, end: 'clean' },
      { bytes: 0, end: 'killed' },
      { written: 6, end: 'killed' },
    ];
    expect(await readBack({ follow: true, tail })).toEqual(expected);
  });

  it('does not bring back lines of the same time as its first one', async () => {
    log.lines = [at(7, 'a'), at(7, 'b'), at(7, 'c'), at(7, 'd')];
    log.connections = [{ written: 3, end: 'clean' }, { end: 'killed' }];
    expect(await readBack({ follow: true, tail: 2 })).toEqual(log.lines.slice(1));
  });

  it('begins at the beginning when there was nothing', async () => {
    log.lines = SMALL;
    log.connections = [
      { written: 0, end: 'clean' },
      { written: 0, end: 'clean' },
      { bytes: 50, end: 'killed' },
    ];
    expect(await readBack({ follow: true, tail: 1 })).toEqual(SMALL);
  });
});

describe('logs, once', () => {
  it('asks for what the caller wants', async () => {
    log.lines = SMALL;
    const since = '2026-01-01T12:00:01Z';
    expect(await readBack({ since, tail: 1, previous: true, follow: true })).toEqual(SMALL.slice(-1));
    expect(Object.fromEntries(log.asked[0]!.query)).toEqual({
      container: 'main',
      timestamps: 'true',
      previous: 'true',
      tailLines: '1',
      sinceTime: since,
    });
  });

  it('goes on after a break, never from before what was asked', async () => {
    log.lines = SMALL;
    const since = '2026-01-01T12:00:02Z';
    log.connections = [{ bytes: 5, end: 'killed' }, { end: 'killed' }];
    expect(await readBack({ since })).toEqual(SMALL.slice(-1));
    expect(log.asked.map(({ query }) => query.get('sinceTime'))).toEqual([since, since, since, since]);
    log.connections = [
      { bytes: 60, end: 'killed' },
      { bytes: 0, end: 'killed' },
    ];
    expect(await readBack({ tail: 3 })).toEqual(SMALL.slice(-3));
  });

  it('cuts a line that is too long and goes on with the next', async () => {
    log.lines = [at(0, 'x'.repeat(100)), at(1, 'short')];
    expect(await collect(read({ maxLineBytes: 41 }))).toEqual([
      { time: '2026-01-01T12:00:00.000000000Z', line: 'x'.repeat(10), cut: true },
      { time: '2026-01-01T12:00:00.000000001Z', line: 'short' },
    ]);
  });

  it('gives lines without a time as they are', async () => {
    log.lines = ['unable to retrieve container logs for containerd://abc\n', at(0, 'a'), '2026-13-77T99:00:00Z odd\n'];
    expect(await readBack()).toEqual(log.lines);
  });

  it('refuses a `since` that is no time', async () => {
    await expect(collect(read({ since: 'yesterday' }))).rejects.toMatchObject({ code: 'invalid' });
  });

  it.each([
    [status(404, 'NotFound', 'pods "db-0" not found'), 'notFound'],
    [status(400, 'BadRequest', 'container "main" in pod "db-0" is waiting to start: ContainerCreating'), 'invalid'],
    [status(403, 'Forbidden', 'no'), 'forbidden'],
  ])('passes on a refusal %#', async (answer, code) => {
    server.on(`GET ${POD}/log`, answer);
    await expect(collect(read({ follow: true }))).rejects.toMatchObject({ code });
  });

  it('says that there is no pod to follow', async () => {
    log.after = 'deleted';
    await expect(collect(read({ follow: true }))).rejects.toMatchObject({ code: 'notFound' });
    expect(log.asked).toHaveLength(0);
  });

  it('says that there is nothing to follow yet', async () => {
    log.after = { state: { waiting: { reason: 'ContainerCreating' } } };
    await expect(collect(read({ follow: true }))).rejects.toMatchObject({ code: 'invalid' });
  });

  it('ends although the container writes all the time', async () => {
    log.lines = SMALL;
    log.connections = [1, 2, 3, 4, 5, 6, 7].map((written) => ({ written, end: 'clean' as const }));
    expect(await readBack()).toEqual(SMALL.slice(0, 5));
  });

  it('ends with the reason of an abort, also while it is quiet', async () => {
    const stop = new AbortController();
    const quiet = new Streaming();
    server.on(`GET ${POD}/log`, quiet.answer);
    const lines = collect(read({ signal: stop.signal, follow: true }));
    await quiet.opened;
    const reason = new Error('stop');
    stop.abort(reason);
    await expect(lines).rejects.toBe(reason);
    await quiet.closed;
  });
});
