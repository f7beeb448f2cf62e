import { MIGRATION_NAMESPACE, NAMESPACE } from '../../api/index.ts';
import { isAppError } from '../../base/index.ts';
import type { InClusterOptions, Installer } from '../../cli/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { connect, type Machine } from '../connect.ts';
import { installCrds } from './crds.ts';
import { awaitServer } from './in-cluster/rollout.ts';
import { OWN_TLS_SECRET } from './in-cluster/server-objects.ts';
import { applyServer } from './in-cluster/server.ts';
import { refuseBesideVelero } from './in-use.ts';
import { refuseExisting, writeKubeconfig } from './kubeconfig-file.ts';
import { applyFlowControl, applyOperatorAccount, applyServerAccount, serverToken } from './server-account.ts';
import { uninstall } from './uninstall.ts';

/** Puts CRDs, namespaces, the server's account and the server itself into a cluster, and takes them out again. */
export function installer({ signal, ...machine }: Machine & { signal: AbortSignal }): Installer {
  return {
    install: async ({ namespace, crdsOnly, serverKubeconfig, inCluster, ...choice }, tell) => {
      if (serverKubeconfig !== undefined) refuseExisting(serverKubeconfig);
      const { kube, connection } = await connect(choice, machine);
      try {
        tell(`${connection.label} at ${connection.server}`);
        tell(`${String(await installCrds(kube, signal))} CRDs installed`);
        if (crdsOnly) return;
        for (const name of [namespace, MIGRATION_NAMESPACE]) {
          tell(`namespace ${name} ${(await createNamespace(kube, name, signal)) ? 'created' : 'exists'}`);
        }
        if (inCluster !== undefined) {
          await installServer(kube, { ...inCluster, namespace }, { tell, signal });
          return;
        }
        if (serverKubeconfig === undefined) {
          tell(`Next: headway server${choice.context === undefined ? '' : ` --context ${choice.context}`}`);
          return;
        }
        await installAccount(kube, { namespace, isOutside: true }, { tell, signal });
        writeKubeconfig(serverKubeconfig, { connection, token: await serverToken(kube, namespace, signal) });
        tell(`its kubeconfig is in ${serverKubeconfig}; keep it as secret as your own`);
        tell(`Next: headway server --kubeconfig ${serverKubeconfig}`);
      } finally {
        await kube.close();
      }
    },
    uninstall: async ({ namespace, force, ...choice }, { tell, confirm }) => {
      const { kube, connection } = await connect(choice, machine);
      try {
        tell(`${connection.label} at ${connection.server}`);
        await uninstall({ kube, namespace, tell, confirm, force, signal });
      } finally {
        await kube.close();
      }
    },
  };
}

interface Told {
  tell: (line: string) => void;
  signal: AbortSignal;
}

async function installAccount(
  kube: KubeClient,
  account: { namespace: string; isOutside: boolean },
  { tell, signal }: Told,
): Promise<void> {
  const { namespace } = account;
  await applyServerAccount(kube, account, signal);
  tell(`service account ${namespace}/headway can back up and restore; its rights are in deploy/server.yaml`);
  tell(
    (await applyFlowControl(kube, namespace, signal))
      ? 'its share of the API server is in deploy/flow-control.yaml'
      : 'this cluster has no shares of the API server: see deploy/flow-control.yaml',
  );
}

/** Everything that runs Headway in the cluster; done when it runs. */
async function installServer(
  kube: KubeClient,
  options: InClusterOptions & { namespace: string },
  { tell, signal }: Told,
): Promise<void> {
  const { namespace } = options;
  await refuseBesideVelero(kube, namespace, signal);
  await installAccount(kube, { namespace, isOutside: false }, { tell, signal });
  await applyOperatorAccount(kube, namespace, signal);
  tell(`service account ${namespace}/headway-operator is for people; its rights are in deploy/operator.yaml`);
  const tlsSecret = options.tlsSecret ?? OWN_TLS_SECRET;
  await applyServer(kube, { ...options, tlsSecret }, { tell, signal });
  if (options.wait) {
    await awaitServer(kube, { namespace, tell }, signal);
    tell('Headway is running');
  }
  tell(`The page: kubectl -n ${namespace} port-forward service/headway 7443, then https://127.0.0.1:7443`);
  tell(`A token to log in with: kubectl -n ${namespace} create token headway-operator`);
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
