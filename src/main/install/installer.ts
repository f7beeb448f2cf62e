import { MIGRATION_NAMESPACE, NAMESPACE } from '../../api/index.ts';
import { isAppError } from '../../base/index.ts';
import type { Installer } from '../../cli/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { connect, type Machine } from '../connect.ts';
import { installCrds } from './crds.ts';
import { refuseExisting, writeKubeconfig } from './kubeconfig-file.ts';
import { applyFlowControl, applyServerAccount, serverToken } from './server-account.ts';
import { uninstall } from './uninstall.ts';

/** Puts CRDs, namespaces and the server's account into a cluster, and takes them out again. */
export function installer({ signal, ...machine }: Machine & { signal: AbortSignal }): Installer {
  return {
    install: async ({ namespace, crdsOnly, serverKubeconfig, ...choice }, tell) => {
      if (serverKubeconfig !== undefined) refuseExisting(serverKubeconfig);
      const { kube, connection } = await connect(choice, machine);
      try {
        tell(`${connection.label} at ${connection.server}`);
        tell(`${String(await installCrds(kube, signal))} CRDs installed`);
        if (crdsOnly) return;
        for (const name of [namespace, MIGRATION_NAMESPACE]) {
          tell(`namespace ${name} ${(await createNamespace(kube, name, signal)) ? 'created' : 'exists'}`);
        }
        if (serverKubeconfig === undefined) {
          tell(`Next: headway server${choice.context === undefined ? '' : ` --context ${choice.context}`}`);
          return;
        }
        await applyServerAccount(kube, namespace, signal);
        tell(`service account ${namespace}/headway can back up and restore; its rights are in deploy/server.yaml`);
        const hasShare = await applyFlowControl(kube, namespace, signal);
        tell(
          hasShare
            ? 'its share of the API server is in deploy/flow-control.yaml'
            : 'this cluster has no shares of the API server: see deploy/flow-control.yaml',
        );
        writeKubeconfig(serverKubeconfig, { connection, token: await serverToken(kube, namespace, signal) });
        tell(`its kubeconfig is in ${serverKubeconfig}; keep it as secret as your own`);
        tell(`Next: headway server --kubeconfig ${serverKubeconfig}`);
      } finally {
        await kube.close();
      }
    },
    uninstall: async ({ namespace, ...choice }, { tell, confirm }) => {
      const { kube, connection } = await connect(choice, machine);
      try {
        tell(`${connection.label} at ${connection.server}`);
        await uninstall({ kube, namespace, tell, confirm, signal });
      } finally {
        await kube.close();
      }
    },
  };
}

async function createNamespace(kube: KubeClient, name: string, signal: AbortSignal): Promise<boolean> {
  try {
    await kube.create({ type: NAMESPACE }, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }, { signal });
    return true;
  } catch (error) {
    if (isAppError(error, 'alreadyExists')) return false;
    throw error;
  }
}
