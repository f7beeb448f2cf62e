import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { AppError, logfmtLine, readLogfmt } from '../../base/index.ts';
import { CREATED_BY_KANISTER, OWNER_UID_LABEL } from '../../api/index.ts';
import { podName } from '../../core/action/index.ts';
import type { KubeClient, KubeObject, LogLine } from '../../edge/kube/index.ts';
import { followPhases } from './phase-log.ts';

const UID = 'u1';
const signal = new AbortController().signal;

function setWith(...states: [name: string, state: string][]): KubeObject {
  const phases = states.map(([name, state]) => ({ name, state }));
  const metadata = { name: 'one', namespace: 'shop', uid: UID };
  return {
    apiVersion: 'cr.kanister.io/v1alpha1',
    kind: 'ActionSet',
    metadata,
    spec: {},
    status: { state: 'running', actions: [{ name: 'backup', phases }] },
  };
}

function podOf(phase: number): KubeObject {
  const name = podName({ prefix: 'task', uid: UID, ref: { action: 0, phase }, attempt: 1, salt: 0 });
  const labels = { ...CREATED_BY_KANISTER, [OWNER_UID_LABEL]: UID };
  const metadata = { name, namespace: 'shop', uid: name, labels };
  return { apiVersion: 'v1', kind: 'Pod', metadata, status: { phase: 'Running' } };
}

/** A cluster with some pods; the logs of those that are gone are not to be had. */
function clusterWith(pods: KubeObject[], logOf: (pod: string) => string[] | undefined): KubeClient {
  return {
    create: (_: unknown, review: KubeObject) => Promise.resolve({ ...review, status: { allowed: true } }),
    async *list() {
      yield await Promise.resolve({ items: pods, resourceVersion: '1' });
    },
    async *watch(_: unknown, options: { signal: AbortSignal }) {
      yield* [];
      await new Promise((resolve) => {
        options.signal.addEventListener('abort', resolve);
      });
    },
    async *logs({ name }: { name: string }): AsyncGenerator<LogLine> {
      const lines = await Promise.resolve(logOf(name));
      if (lines === undefined) throw new AppError('notFound', 'it is gone');
      for (const line of lines) yield { line };
    },
  } as unknown as KubeClient;
}

async function* ownLog(...lines: [phase: string, line: string][]): AsyncGenerator<Uint8Array> {
  for (const [phase, line] of lines) {
    const fields = { action: 'backup', phase, namespace: 'shop', line };
    yield await Promise.resolve(Buffer.from(`${logfmtLine(0, 'info', 'output', fields)}\n`));
  }
}

async function printed(
  before: KubeObject,
  after: KubeObject,
  { kube, own, isPrintedOnly = false }: { kube: KubeClient; own: AsyncIterable<Uint8Array>; isPrintedOnly?: boolean },
): Promise<string[]> {
  const clock = new FakeClock();
  let looks = 0;
  const current = () => ({ set: looks > 2 ? after : before, hasEnded: looks++ > 2 });
  const lines: string[] = [];
  const following = (async () => {
    for await (const line of followPhases(before, { kube, clock, current, ownLog: () => own, isPrintedOnly, signal })) {
      const { message = '', fields = {} } = readLogfmt(line.trimEnd()) ?? {};
      if (!message.startsWith('phase ') && !message.startsWith('the action set'))
        lines.push(`${fields['phase'] ?? ''}: ${message}`);
    }
  })();
  for (let turn = 0; turn < 20; turn += 1) {
    await new Promise(setImmediate);
    await clock.advance(250);
  }
  await following;
  return lines;
}

const RUNNING = setWith(['dump', 'running'], ['push', 'pending']);
const ENDED = setWith(['dump', 'complete'], ['push', 'complete']);

it('has the times at which phases began and ended, not those at which somebody reads', async () => {
  const times = { startTimestamp: '2026-01-01T00:00:01Z', completionTimestamp: '2026-01-01T00:00:09Z' };
  const actions = [{ name: 'backup', phases: [{ name: 'dump', state: 'complete', ...times }] }];
  const set = { ...RUNNING, status: { state: 'complete', actions } };
  const lines: string[] = [];
  const { kube, own } = { kube: clusterWith([], () => undefined), own: ownLog() };
  const current = () => ({ set, hasEnded: true });
  const deps = { kube, clock: new FakeClock(), current, ownLog: () => own, isPrintedOnly: false, signal };
  for await (const line of followPhases(set, deps)) lines.push(line);
  expect(lines[0]).toContain('time="2026-01-01T00:00:09Z" level=info msg="phase is complete"');
});

it('tells what a pod printed that was gone before its log was opened', async () => {
  const kube = clusterWith([podOf(0), podOf(1)], () => undefined);
  const own = ownLog(['dump', 'quick'], ['push', 'quicker']);
  expect(await printed(RUNNING, ENDED, { kube, own })).toEqual(['dump: quick', 'push: quicker']);
});

it('tells once what a pod tells itself', async () => {
  const [dump, push] = [podOf(0), podOf(1)];
  const kube = clusterWith([dump, push], (name) => (name === dump.metadata.name ? ['from the pod'] : undefined));
  const own = ownLog(['dump', 'from the pod'], ['push', 'quick']);
  expect(await printed(RUNNING, ENDED, { kube, own })).toEqual(['dump: from the pod', 'push: quick']);
});

it('tells of phases that were over before, also to whoever follows the pods by themselves', async () => {
  const before = setWith(['dump', 'complete'], ['push', 'running']);
  const lines: [string, string][] = [
    ['dump', 'long ago'],
    ['push', 'now'],
  ];
  const kube = clusterWith([podOf(1)], () => ['now']);
  const all = await printed(before, ENDED, { kube, own: ownLog(...lines) });
  expect(all.toSorted()).toEqual(['dump: long ago', 'push: now']);
  const only = { kube, own: ownLog(...lines), isPrintedOnly: true };
  expect(await printed(before, ENDED, only)).toEqual(['dump: long ago']);
});
