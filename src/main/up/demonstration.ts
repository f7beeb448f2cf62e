import { formatBytes, formatCount, formatDuration } from '../../base/index.ts';
import { dataGap } from '../../core/operations/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { createAll } from '../demo/create-all.ts';
import { LEDGER, readFreeze } from '../demo/ledger.ts';
import { sampleApplication } from '../demo/sample-application.ts';
import { backUp, namespacesOf, restoreCopy, verifyCopy } from '../demo/story.ts';
import { waitForPods } from '../demo/wait-for-pods.ts';
import { systemClock } from '../system-clock.ts';
import type { Steps } from './steps.ts';

/** The main job, live: an application, a backup of it, a restore beside it, and the proof that both are the same. */
export async function tellStory(
  kube: KubeClient,
  steps: Steps,
  { signal, hasProcesses }: { signal: AbortSignal; hasProcesses: boolean },
): Promise<void> {
  const items = [...sampleApplication({ hasProcesses })];
  const base = { kube, clock: systemClock, signal };
  const namespaces = namespacesOf(items);
  const kinds = new Set(items.map(({ type }) => type.kind)).size;
  const sample = `${formatCount(items.length)} objects of ${String(kinds)} kinds in ${String(namespaces.length)} namespaces`;
  await steps.run({ name: 'sample', what: sample, verb: 'creating' }, (onReport) =>
    createAll(items, { ...base, onReport }),
  );
  const pods = items.reduce((sum, { object }) => sum + replicasOf(object['spec']), 0);
  await steps.run(
    { name: 'pods', what: 'waiting until every pod is ready', verb: 'starting' },
    (onReport) => waitForPods(pods, { ...base, onReport }),
    () => `${String(pods)} pods ready`,
  );
  await steps.run(
    { name: 'backup', what: `demo-1 of ${namespaces.join(', ')}`, verb: 'waiting' },
    (onReport) => backUp(items, { ...base, onReport }),
    ({ ref, report, facts }) => ({
      text: `${ref.name}: ${itemsOf(report.measures)}, ${formatBytes(facts.sizeBytes ?? 0)}`,
      gap: dataGap(facts),
    }),
  );
  if (hasProcesses) await tellOfHooks(kube, steps, signal);
  const [first = '', second = ''] = namespaces.map((name) => `${name}-copy`);
  const { facts: restored } = await steps.run(
    {
      name: 'restore',
      what: `demo-1-copy into ${first}, ${second} and ${String(namespaces.length - 2)} more`,
      verb: 'waiting',
    },
    (onReport) => restoreCopy(items, { ...base, onReport }),
    ({ ref, report, facts }) => ({
      text: `${ref.name}: ${formatCount(report.counts?.created ?? 0)} created, ${formatCount(report.counts?.skipped ?? 0)} skipped`,
      gap: dataGap(facts),
    }),
  );
  await steps.run(
    { name: 'verified', what: 'comparing every object with its copy', verb: 'comparing' },
    (onReport) => verifyCopy(items, { ...base, onReport }),
    ({ compared }) => ({ text: `${formatCount(compared)} objects compared, 0 differ`, gap: dataGap(restored) }),
  );
}

/** They have run already; that is read where only the pod could have written it. */
async function tellOfHooks(kube: KubeClient, steps: Steps, signal: AbortSignal): Promise<void> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(HOOKS_WITHIN_MS)]);
  await steps.run(
    { name: 'hooks', what: `asking ${LEDGER.namespace}/${LEDGER.name} what its hooks did`, verb: 'reading' },
    () => readFreeze(kube, within),
    ({ entries, seconds }) =>
      `${LEDGER.namespace}/${LEDGER.name} stood still at entry ${formatCount(entries)} for ${formatDuration(seconds)}`,
  );
}

const HOOKS_WITHIN_MS = 30_000;

function itemsOf(measures: readonly { unit: string; done: number }[]): string {
  return `${formatCount(measures.find(({ unit }) => unit === 'items')?.done ?? 0)} items`;
}

function replicasOf(spec: unknown): number {
  const { replicas } = (spec ?? {}) as { replicas?: number };
  return replicas ?? 0;
}
