import { formatBytes, formatCount, formatDuration } from '../../base/index.ts';
import { dataGap, type Operation } from '../../core/operations/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { createAll } from '../demo/create-all.ts';
import { readBeginning, readFreeze, type Freeze } from '../demo/ledger.ts';
import { sampleApplication, type SampleItem } from '../demo/sample-application.ts';
import { backUp, copyOf, mustNotDiffer, namespacesOf, restoreCopy, verifyCopy } from '../demo/story.ts';
import { compareVolumes, LEDGER, VOLUMES } from '../demo/volumes.ts';
import { waitForPods } from '../demo/wait-for-pods.ts';
import { systemClock } from '../system-clock.ts';
import { tellOfDatabase } from './database-act.ts';
import type { Steps } from './steps.ts';

interface Scene {
  kube: KubeClient;
  steps: Steps;
  signal: AbortSignal;
}

/**
 * The main job, live: an application, a backup of it, a restore beside it, and the proof that both are the same; then
 * a database that a Blueprint brings back.
 */
export async function tellStory(
  kube: KubeClient,
  steps: Steps,
  { signal, hasProcesses }: { signal: AbortSignal; hasProcesses: boolean },
): Promise<void> {
  const scene = { kube, steps, signal };
  const items = [...sampleApplication({ hasProcesses })];
  await makeSample(items, scene);
  const base = { kube, clock: systemClock, signal };
  const namespaces = namespacesOf(items);
  await steps.run(
    { name: 'backup', what: `demo-1 of ${namespaces.join(', ')}`, verb: 'waiting' },
    (onReport) => backUp(items, { ...base, onReport, hasVolumes: hasProcesses }),
    (backup) => ({
      text: `${backup.ref.name}: ${itemsOf(backup)}, ${formatBytes(backup.facts.sizeBytes ?? 0)}${volumesText(backup)}`,
      gap: dataGap(backup.facts),
    }),
  );
  const freeze = hasProcesses ? await tellOfHooks(scene) : undefined;
  const [first = '', second = ''] = namespaces.map(copyOf);
  const { facts: restored } = await steps.run(
    {
      name: 'restore',
      what: `demo-1-copy into ${first}, ${second} and ${String(namespaces.length - 2)} more`,
      verb: 'waiting',
    },
    (onReport) => restoreCopy(items, { ...base, onReport }),
    (restore) => ({
      text: `${restore.ref.name}: ${formatCount(restore.report.counts?.created ?? 0)} created, ${formatCount(restore.report.counts?.skipped ?? 0)} skipped${volumesText(restore)}`,
      gap: dataGap(restore.facts),
    }),
  );
  await steps.run(
    { name: 'verified', what: 'comparing every object with its copy', verb: 'comparing' },
    (onReport) => verifyCopy(items, { ...base, onReport }),
    ({ compared }) => ({ text: `${formatCount(compared)} objects compared, 0 differ`, gap: dataGap(restored) }),
  );
  if (freeze === undefined) return;
  await verifyVolumes(freeze, scene);
  await tellOfDatabase(scene);
}

async function makeSample(items: readonly SampleItem[], { kube, steps, signal }: Scene): Promise<void> {
  const base = { kube, clock: systemClock, signal };
  const kinds = new Set(items.map(({ type }) => type.kind)).size;
  const sample = `${formatCount(items.length)} objects of ${String(kinds)} kinds in ${String(namespacesOf(items).length)} namespaces`;
  await steps.run({ name: 'sample', what: sample, verb: 'creating' }, (onReport) =>
    createAll(items, { ...base, onReport }),
  );
  const pods = items.reduce((sum, { object }) => sum + replicasOf(object['spec']), 0);
  await steps.run(
    { name: 'pods', what: 'waiting until every pod is ready', verb: 'starting' },
    (onReport) => waitForPods(pods, { ...base, onReport }),
    () => `${String(pods)} pods ready`,
  );
}

/** They have run already; that is read where only the pod could have written it. */
async function tellOfHooks({ kube, steps, signal }: Scene): Promise<Freeze> {
  const within = AbortSignal.any([signal, AbortSignal.timeout(HOOKS_WITHIN_MS)]);
  return await steps.run(
    { name: 'hooks', what: `asking ${LEDGER.namespace}/${LEDGER.name} what its hooks did`, verb: 'reading' },
    () => readFreeze(kube, within),
    ({ entries, seconds }) =>
      `${LEDGER.namespace}/${LEDGER.name} stood still at entry ${formatCount(entries)} for ${formatDuration(seconds)}`,
  );
}

const HOOKS_WITHIN_MS = 30_000;

/** Every file, and that the copy of the frozen pod goes on where it was frozen. */
async function verifyVolumes(freeze: Freeze, { kube, steps, signal }: Scene): Promise<void> {
  const base = { kube, clock: systemClock, signal };
  await steps.run(
    { name: 'volumes', what: 'comparing the checksum of every file with its copy', verb: 'comparing' },
    async (onReport) => {
      onReport({ state: 'running', measures: [], children: [] });
      for (const { namespace, name } of VOLUMES) {
        const where = { namespace: copyOf(namespace), labelSelector: `app=${name}` };
        await waitForPods(1, { ...base, onReport: () => undefined, where });
      }
      const { files, differences } = await compareVolumes(kube, copyOf, signal);
      const within = AbortSignal.any([signal, AbortSignal.timeout(HOOKS_WITHIN_MS)]);
      const began = await readBeginning(kube, copyOf(LEDGER.namespace), within);
      const lost = `${copyOf(LEDGER.namespace)}/${LEDGER.name} began with ${began} entries, frozen were ${freeze.entries}`;
      mustNotDiffer([...differences, ...(began === freeze.entries ? [] : [lost])]);
      return files;
    },
    (files) => `${formatCount(files)} files of ${String(VOLUMES.length)} volumes compared by sha256, 0 differ`,
  );
}

/** `, 143.1 MiB in volumes`; nothing where there are none. */
function volumesText({ report }: Operation): string {
  const bytes = report.measures.find(({ unit }) => unit === 'bytes')?.done ?? 0;
  return bytes === 0 ? '' : `, ${formatBytes(bytes)} in volumes`;
}

function itemsOf({ report }: Operation): string {
  return `${formatCount(report.measures.find(({ unit }) => unit === 'items')?.done ?? 0)} items`;
}

function replicasOf(spec: unknown): number {
  const { replicas } = (spec ?? {}) as { replicas?: number };
  return replicas ?? 0;
}
