import type { ResourceType } from '../../api/index.ts';
import { AppError, type Clock } from '../../base/index.ts';
import { adapterFor, type Operation } from '../../core/operations/index.ts';
import { feed, newMeter, takeReport, type Report } from '../../core/progress/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { compareCopies, type Comparison } from './compare.ts';
import { mustComplete, runOperation } from './run-operation.ts';
import type { SampleItem } from './sample-application.ts';

interface Options {
  kube: KubeClient;
  clock: Clock;
  signal: AbortSignal;
  onReport(report: Report): void;
}

const BACKUP = 'demo-1';
const RESTORE = 'demo-1-copy';
const SUFFIX = '-copy';

/** The namespaces of the sample, in its order. */
export function namespacesOf(items: readonly SampleItem[]): string[] {
  return items.filter(({ type }) => type.kind === 'Namespace').map(({ object }) => object.metadata.name);
}

/** Where a namespace's copy is. */
export function copyOf(namespace: string): string {
  return `${namespace}${SUFFIX}`;
}

export async function backUp(
  items: readonly SampleItem[],
  { hasVolumes, ...options }: Options & { hasVolumes: boolean },
): Promise<Operation> {
  const spec = { includedNamespaces: namespacesOf(items), ttl: '24h0m0s', defaultVolumesToFsBackup: hasVolumes };
  const metadata = { name: BACKUP, namespace: 'velero' };
  const object = { apiVersion: 'velero.io/v1', kind: 'Backup', metadata, spec };
  return mustComplete(await runOperation(adapterFor('Backup'), object, options));
}

/** Beside the originals, so that both can be looked at and compared. */
export async function restoreCopy(items: readonly SampleItem[], options: Options): Promise<Operation> {
  const namespaceMapping = Object.fromEntries(namespacesOf(items).map((name) => [name, copyOf(name)]));
  const metadata = { name: RESTORE, namespace: 'velero' };
  const spec = { backupName: BACKUP, namespaceMapping };
  const object = { apiVersion: 'velero.io/v1', kind: 'Restore', metadata, spec };
  return mustComplete(await runOperation(adapterFor('Restore'), object, options));
}

/** Every object that the sample made, against its copy. */
export async function verifyCopy(items: readonly SampleItem[], options: Options): Promise<Comparison> {
  const { clock } = options;
  const originals = new Set(namespacesOf(items));
  const types = new Map<string, ResourceType>(
    items.filter(({ type }) => type.namespaced).map(({ type }) => [`${type.group}/${type.plural}`, type]),
  );
  let meter = feed(newMeter(clock.now()), { kind: 'start' }, clock.now());
  const comparison = await compareCopies([...types.values()], {
    kube: options.kube,
    copyOf: (namespace) => (originals.has(namespace) ? copyOf(namespace) : namespace),
    signal: options.signal,
    onCompared: (done) => {
      meter = feed(meter, { kind: 'measure', unit: 'items', done }, clock.now());
      const taken = takeReport(meter, clock.now());
      meter = taken.meter;
      options.onReport(taken.report);
    },
  });
  mustNotDiffer(comparison.differences);
  return comparison;
}

export function mustNotDiffer(differences: readonly string[]): void {
  if (differences.length === 0) return;
  throw new AppError('bug', `of what was compared some differs:\n  ${differences.join('\n  ')}`);
}
