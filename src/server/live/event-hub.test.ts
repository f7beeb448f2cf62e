import { createGunzip } from 'node:zlib';
import { expect, it } from 'vitest';
import fc from 'fast-check';
import { FakeClock } from '../../../test/fake-clock.ts';
import { eventually } from '../../../test/eventually.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { adapterFor, OperationTree, type UnseenCluster } from '../../core/operations/index.ts';
import { Metrics } from '../metrics.ts';
import { EventHub } from './event-hub.ts';
import type { ReaderSink } from './event-reader.ts';

const SUBSCRIPTION = { query: { limit: 100 }, maySee: () => true, rights: 'all' };

class Sink implements ReaderSink {
  readonly chunks: Buffer[] = [];
  readonly takesGzip: boolean;
  isFull = false;
  #drain = (): void => undefined;

  constructor(takesGzip = false) {
    this.takesGzip = takesGzip;
  }

  write(bytes: Uint8Array): boolean {
    this.chunks.push(Buffer.from(bytes));
    return !this.isFull;
  }
  onDrain(listener: () => void): void {
    this.#drain = listener;
  }
  drain(): void {
    this.isFull = false;
    this.#drain();
  }
  end(): void {
    this.chunks.push(Buffer.from('END'));
  }
  destroy(): void {
    this.end();
  }

  /** The state that a page would have: the newest percent of each operation. */
  state(): Map<string, number | undefined> {
    const state = new Map<string, number | undefined>();
    for (const block of Buffer.concat(this.chunks).toString('utf8').split('\n\n')) {
      const [, event, data = '{}'] = /^event: (\w+)\n(?:id: .*\n)?data: (.*)$/m.exec(block) ?? [];
      const parsed = JSON.parse(data) as { id: string; operations?: Row[] } & Row;
      if (event === 'snapshot') state.clear();
      for (const row of event === 'snapshot' ? (parsed.operations ?? []) : event === 'operation' ? [parsed] : []) {
        state.set(row.id, row.report.percent);
      }
      if (event === 'removed') state.delete(parsed.id);
    }
    return state;
  }
}
interface Row {
  id: string;
  report: { percent?: number };
}

function setUp(unseen: () => UnseenCluster[] = () => []) {
  const tree = new OperationTree();
  const clock = new FakeClock();
  const hub = new EventHub(
    tree,
    { batchMs: 1, heartbeatMs: 10, stuckMs: 1000 },
    { clock, metrics: new Metrics(), unseen },
  );
  const put = (name: string, percent: number): void => {
    const object: KubeObject = {
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name, namespace: 'velero' },
      status: { phase: 'InProgress', progress: { percent } },
    };
    tree.put(adapterFor('Backup'), object, { cluster: 'c', now: clock.now() });
    hub.wake();
  };
  const remove = (name: string): void => {
    tree.delete(`c.backup.velero.${name}`);
    hub.wake();
  };
  const truth = (): Map<string, number | undefined> =>
    new Map([...tree.entries()].map(({ operation }) => [operation.id, operation.report.percent]));
  return { tree, hub, put, remove, truth, clock };
}

it('sends a slow reader the newest state once it can take more, and nothing in between', async () => {
  const { hub, put, truth, clock } = setUp();
  put('a', 1);
  const sink = new Sink();
  sink.isFull = true;
  hub.subscribe(SUBSCRIPTION, sink);
  const sent = sink.chunks.length;
  for (let percent = 2; percent < 90; percent += 1) {
    put('a', percent);
    await clock.advance(1);
  }
  expect(sink.chunks).toHaveLength(sent);
  sink.drain();
  expect(sink.state()).toEqual(truth());
  expect(sink.chunks).toHaveLength(sent + 1);
});

it('brings every reader to the truth, whatever changes, blocks and comes when', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('put' as const), name: fc.constantFrom('a', 'b', 'c', 'd'), percent: fc.nat(99) }),
    fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom('a', 'b', 'c', 'd') }),
    fc.record({ do: fc.constant('block' as const), reader: fc.nat(3) }),
    fc.record({ do: fc.constant('drain' as const), reader: fc.nat(3) }),
    fc.record({ do: fc.constant('join' as const) }),
    fc.record({ do: fc.constant('wait' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { hub, put, remove, truth, clock } = setUp();
      const sinks = [new Sink()];
      hub.subscribe(SUBSCRIPTION, sinks[0]!);
      for (const each of steps) {
        if (each.do === 'put') put(each.name, each.percent);
        else if (each.do === 'remove') remove(each.name);
        else if (each.do === 'join') {
          sinks.push(new Sink());
          hub.subscribe(SUBSCRIPTION, sinks.at(-1)!);
        } else if (each.do === 'wait') {
          await clock.advance(300);
        } else {
          const sink = sinks[each.reader % sinks.length]!;
          if (each.do === 'block') sink.isFull = true;
          else sink.drain();
        }
      }
      for (const sink of sinks) sink.drain();
      hub.wake();
      await clock.advance(1);
      for (const sink of sinks) expect(sink.state()).toEqual(truth());
    }),
    { numRuns: 40 },
  );
});

it('continues one gzip stream with pieces that others were sent as well', async () => {
  const { hub, put, clock } = setUp();
  put('a', 1);
  const [first, second] = [new Sink(true), new Sink(true)];
  hub.subscribe(SUBSCRIPTION, first);
  put('b', 2);
  await clock.advance(1);
  hub.subscribe(SUBSCRIPTION, second);
  put('c', 3);
  await clock.advance(1);
  for (const sink of [first, second]) {
    const texts: string[] = [];
    const gunzip = createGunzip();
    gunzip.on('data', (chunk: Buffer) => texts.push(chunk.toString('utf8')));
    gunzip.write(Buffer.concat(sink.chunks));
    await eventually(() => {
      expect(texts.join('')).toContain('"percent":3');
    });
    gunzip.destroy();
  }
});

it('goes on after an event that was seen, but not after one of another process', () => {
  const { hub, put } = setUp();
  put('a', 1);
  const sink = new Sink();
  hub.subscribe(SUBSCRIPTION, sink);
  const id = /^id: (.*)$/m.exec(String(sink.chunks[0]))?.[1] ?? '';
  put('b', 2);
  const resumed = new Sink();
  hub.subscribe({ ...SUBSCRIPTION, lastEventId: id }, resumed);
  expect(String(resumed.chunks[0])).toMatch(/^event: operation\n.*\ndata: .*"name":"b"/);
  for (const lastEventId of ['other-1', `${id}999999`, 'nonsense']) {
    const fresh = new Sink();
    hub.subscribe({ ...SUBSCRIPTION, lastEventId }, fresh);
    expect(String(fresh.chunks[0])).toMatch(/^event: snapshot/);
  }
});

it('tells at once, also a reader that hears enough, that a cluster is not seen and that it is again', async () => {
  let unseen: UnseenCluster[] = [];
  const { hub, put, clock } = setUp(() => unseen);
  const sink = new Sink();
  hub.start();
  hub.subscribe(SUBSCRIPTION, sink);
  const said = (): string[] =>
    [
      ...Buffer.concat(sink.chunks)
        .toString('utf8')
        .matchAll(/"unseen":(\[.*?\])/g),
    ].map(([, list = '']) => list);
  const busy = async (): Promise<void> => {
    for (let at = 0; at < 8; at += 1) {
      put('a', at);
      await clock.advance(3);
    }
  };
  await busy();
  expect(said()).toEqual([]);
  unseen = [{ cluster: 'c', since: '2026-01-01T00:00:00.000Z' }];
  await busy();
  expect(said()).toEqual([JSON.stringify(unseen)]);
  const before = unseen;
  unseen = [];
  await busy();
  expect(said()).toEqual([JSON.stringify(before), '[]']);
  await hub.close();
});

it('cuts off a reader that takes nothing for too long, and tells the others that it lives', async () => {
  const { hub, put, clock } = setUp();
  const [stuck, awake] = [new Sink(), new Sink()];
  stuck.isFull = true;
  hub.start();
  hub.subscribe(SUBSCRIPTION, stuck);
  hub.subscribe(SUBSCRIPTION, awake);
  put('a', 1);
  await clock.advance(900);
  expect(stuck.chunks.map(String)).not.toContain('END');
  expect(awake.chunks.map(String).filter((text) => text.startsWith('event: heartbeat')).length).toBeGreaterThan(50);
  await clock.advance(200);
  expect(stuck.chunks.map(String)).toContain('END');
  expect(stuck.chunks.filter((chunk) => String(chunk) !== 'END')).toHaveLength(1);
  expect(awake.chunks.map(String)).not.toContain('END');
  await hub.close();
});
