import {
  BackupStorageLocation,
  CUSTOM_RESOURCE_DEFINITION,
  KINDS,
  LEASE,
  MIGRATION_NAMESPACE,
  SECRET,
  type ResourceType,
} from '../../api/index.ts';
import { AppError, formatCount, isAppError, objectsAt, textAt } from '../../base/index.ts';
import type { Kube, KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { systemClock } from '../system-clock.ts';
import { remove } from './apply.ts';
import { hasServer, pods, removeServer } from './in-cluster/server.ts';
import { refuseBesideServer, refuseBesideVelero } from './in-use.ts';
import { refuseWhileRunning } from './running-operations.ts';
import { removeAccounts } from './server-account.ts';

const GONE_WITHIN_MS = 60_000;
const LOOK_MS = 100;

interface Uninstalling {
  kube: KubeClient;
  namespace: string;
  tell: (line: string) => void;
  /** Throws when the user does not agree to what was told. */
  confirm: () => Promise<void>;
  /** Also while operations have not ended, or a server runs outside the cluster. */
  force: boolean;
  signal: AbortSignal;
}

/** Takes out what `headway install` and `headway location create` put in, and says first what goes and what stays. */
export async function uninstall(options: Uninstalling): Promise<void> {
  const { kube, namespace, tell, confirm, force, signal } = options;
  await refuseBesideVelero(kube, namespace, signal);
  const servers = await pods(kube, namespace, signal);
  if (!force) await refuseBesideServer(kube, { namespace, pods: servers }, signal);
  const objects = await objectsByKind(kube, signal);
  if (!force) refuseWhileRunning(objects, { hasServer: servers.length > 0 });
  const isInside = await hasServer(kube, namespace, signal);
  const secrets = (await collect(kube.list({ type: SECRET, namespace }, { signal }))).filter(isOfLocation);
  for (const line of plan(objects, { namespace, secrets, isInside })) tell(line);
  await confirm();
  await removeServer(kube, namespace, signal);
  // Each restore waits to have its files deleted by a server. There is none any more, and the files are to stay.
  for (const [type, some] of objects) await dropFinalizers(kube, { type, objects: some, signal });
  const crds = KINDS.map(({ plural, group }) => ({ type: CUSTOM_RESOURCE_DEFINITION, name: `${plural}.${group}` }));
  await Promise.all(crds.map((crd) => remove(kube, crd, signal)));
  for (const { metadata } of secrets) await remove(kube, { type: SECRET, namespace, name: metadata.name }, signal);
  await removeAccounts(kube, namespace, signal);
  await remove(kube, { type: LEASE, namespace, name: 'headway' }, signal);
  await allGone(kube, signal);
  tell('Removed. To delete the namespaces and everything left in them:');
  tell(`  kubectl delete namespace ${namespace} ${MIGRATION_NAMESPACE}`);
}

type Objects = ReadonlyMap<ResourceType, readonly KubeObject[]>;

function plan(
  objects: Objects,
  { namespace, secrets, isInside }: { namespace: string; secrets: readonly KubeObject[]; isInside: boolean },
): string[] {
  const counts = [...objects].map(([{ kind }, some]) => `${formatCount(some.length)} ${kind}`);
  const locations = [...objects].find(([{ plural }]) => plural === BackupStorageLocation.plural)?.[1] ?? [];
  return [
    'Removes from the cluster:',
    ...(isInside ? [`  the server: deployment, service and certificate headway in namespace ${namespace}`] : []),
    `  Headway's CRDs and every object of these kinds: ${counts.join(', ') || 'there are none'}`,
    '  the service accounts headway and headway-operator, with their tokens, rights and share of the API server',
    ...(secrets.length === 0 ? [] : [`  credentials of locations: Secret ${namesOf(secrets)}`]),
    'Keeps:',
    `  the files of every backup${locations.length === 0 ? '' : `, in ${locations.map(placeOf).join(', ')}`}`,
    `  the namespaces ${namespace} and ${MIGRATION_NAMESPACE}, and everything else in the cluster`,
  ];
}

/** Made by `headway location create` or the page; the cluster would not always delete it with a kind that goes. */
function isOfLocation(secret: KubeObject): boolean {
  return objectsAt(secret, 'metadata', 'ownerReferences').some(
    (owner) => textAt(owner, 'kind') === BackupStorageLocation.kind,
  );
}

function namesOf(objects: readonly KubeObject[]): string {
  return objects.map(({ metadata }) => metadata.name).join(', ');
}

function placeOf(location: KubeObject): string {
  const prefix = textAt(location, 'spec', 'objectStorage', 'prefix');
  const bucket = textAt(location, 'spec', 'objectStorage', 'bucket') ?? '';
  return `${bucket}${prefix === undefined ? '' : `/${prefix}`} (location ${location.metadata.name})`;
}

/** Only kinds that are there and have objects. */
async function objectsByKind(kube: Kube, signal: AbortSignal): Promise<Objects> {
  const found = new Map<ResourceType, readonly KubeObject[]>();
  for (const type of KINDS) {
    try {
      const objects = await collect(kube.list({ type }, { signal }));
      if (objects.length > 0) found.set(type, objects);
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
    }
  }
  return found;
}

async function collect(pages: ReturnType<Kube['list']>): Promise<KubeObject[]> {
  let all: KubeObject[] = [];
  for await (const { items, restarted } of pages) all = [...(restarted ? [] : all), ...items];
  return all;
}

async function dropFinalizers(
  kube: Kube,
  { type, objects, signal }: { type: ResourceType; objects: readonly KubeObject[]; signal: AbortSignal },
): Promise<void> {
  for (const { metadata } of objects) {
    if ((metadata.finalizers ?? []).length === 0) continue;
    const { name, namespace } = metadata;
    const target = { type, name, ...(namespace === undefined ? {} : { namespace }) };
    try {
      await kube.patch(target, { kind: 'merge', body: { metadata: { finalizers: null } } }, { signal });
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
    }
  }
}

/** A definition goes when its last object has gone. */
async function allGone(kube: Kube, signal: AbortSignal): Promise<void> {
  const ours = new Set(KINDS.map(({ plural, group }) => `${plural}.${group}`));
  const startedAt = systemClock.now();
  for (;;) {
    const left = (await collect(kube.list({ type: CUSTOM_RESOURCE_DEFINITION }, { signal }))).filter(({ metadata }) =>
      ours.has(metadata.name),
    );
    if (left.length === 0) return;
    if (systemClock.now() - startedAt > GONE_WITHIN_MS) {
      throw new AppError('timeout', `the cluster still has ${namesOf(left)} a minute after they were deleted`, {
        details: { hint: `See what holds one with: kubectl describe crd ${left[0]?.metadata.name ?? ''}` },
      });
    }
    await systemClock.sleep(LOOK_MS, signal);
  }
}
