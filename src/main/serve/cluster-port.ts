import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { ActionSet, Backup, Restore } from '../../api/index.ts';
import { previewSet } from '../../control/action/index.ts';
import {
  itemsOfBackup,
  listVolume,
  planOfBackup,
  planOfRestore,
  selectionOfBackup,
  selectionOfRestore,
  verifyBackup,
} from '../../control/controllers/index.ts';
import type { VerifyAnswer } from '../../core/operations/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import type { ClusterPort } from '../../server/index.ts';
import type { ControlPlane } from './control-plane.ts';
import type { ServedCluster } from './served-cluster.ts';

/** A cluster as the HTTP server sees it: what the controllers watch, hold and know, and nothing that changes it. */
export function clusterPort(cluster: ServedCluster, plane: ControlPlane, namespace: string): ClusterPort {
  // A dry run is to tell what this server would do, with its own defaults.
  const { backup = {} } = plane.settings;
  let isReady = false;
  plane.ready.then(
    () => (isReady = true),
    // Whoever runs the plane hears why.
    () => undefined,
  );
  return {
    name: cluster.name,
    namespace,
    namespaces: plane.namespaces,
    login: cluster.login,
    kube: cluster.kube,
    as: (token) => cluster.as(token),
    source: (type) => plane.cacheOf(type),
    groups: () => plane.groups(),
    isReady: () => isReady,
    unseenSince: () => plane.unseenSince(),
    stores: plane.stores,
    logs: plane.logs,
    planner: {
      plans: {
        [Backup.kind]: async ({ kube, object, signal }) =>
          await planOfBackup(object, plane.depsAs(kube), backup, signal),
        [Restore.kind]: async ({ kube, object, signal }) => await planOfRestore(object, plane.depsAs(kube), {}, signal),
        [ActionSet.kind]: async ({ kube, object, signal }) => ({
          kind: 'ActionSet',
          ...(await previewSet(object, plane.depsAs(kube), signal)),
        }),
      },
      selections: {
        [Backup.kind]: async ({ kube, object, signal }) =>
          await selectionOfBackup(object, plane.depsAs(kube), backup, signal),
        [Restore.kind]: async ({ kube, object, signal }) =>
          await selectionOfRestore(object, plane.depsAs(kube), {}, signal),
      },
      items: async ({ kube, object, signal }) => await itemsOfBackup(object, plane.depsAs(kube), signal),
      listVolume: async (volume, call) => {
        await listVolume(volume, plane.depsAs(cluster.kube), call);
      },
      verify: async (name, signal) => await verify(name, plane, { kube: cluster.kube, namespace, signal }),
    },
  };
}

async function verify(
  name: string,
  plane: ControlPlane,
  { kube, namespace, signal }: { kube: KubeClient; namespace: string; signal: AbortSignal },
): Promise<VerifyAnswer> {
  const backup = Backup.parse(await kube.get({ type: Backup, namespace, name }, { signal })).value;
  using opened = await plane.stores.open(backup.spec.storageLocation ?? 'default', signal);
  const spoolPath = join(plane.spoolDir, `verify-${randomUUID()}`);
  return await verifyBackup(opened.store, name, { spoolPath, signal });
}
