import { CUSTOM_RESOURCE_DEFINITION, KINDS, MIGRATION_NAMESPACE, NAMESPACE } from '../../api/index.ts';
import { AppError, isAppError, textAt } from '../../base/index.ts';
import type { Installer } from '../../cli/index.ts';
import type { KubeClient } from '../../edge/kube/index.ts';
import { connect } from '../connect.ts';
import { installCrds } from './crds.ts';

/** Puts the CRDs and the namespaces into a cluster. What runs in the cluster comes with the image, in a later version. */
export function installer({ env, signal }: { env: NodeJS.ProcessEnv; signal: AbortSignal }): Installer {
  return {
    install: async ({ namespace, crdsOnly, ...choice }, tell) => {
      const { kube, connection } = await connect(choice, env);
      try {
        tell(`${connection.label} at ${connection.server}`);
        tell(`${String(await installCrds(kube, signal))} CRDs are there`);
        if (crdsOnly) return;
        for (const name of [namespace, MIGRATION_NAMESPACE]) {
          tell(`namespace ${name} ${(await createNamespace(kube, name, signal)) ? 'was created' : 'is there'}`);
        }
        tell(
          `Start the server with: headway server${choice.context === undefined ? '' : ` --context ${choice.context}`}`,
        );
      } finally {
        await kube.close();
      }
    },
    uninstall: async (choice, tell) => {
      const { kube, connection } = await connect(choice, env);
      try {
        tell(`${connection.label} at ${connection.server}`);
        await refuseOperations(kube, signal);
        let removed = 0;
        for (const { plural, group } of KINDS) {
          const target = { type: CUSTOM_RESOURCE_DEFINITION, name: `${plural}.${group}` };
          removed += (await kube.delete(target, { signal }).then(isThere, ifMissing)) ? 1 : 0;
        }
        tell(`${String(removed)} CRDs were removed, and all objects of those kinds with them`);
        tell('Data in the stores and the namespaces were left as they are');
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

const isThere = (): boolean => true;
function ifMissing(error: unknown): boolean {
  if (isAppError(error, 'notFound')) return false;
  throw error;
}

/** With the CRDs go the objects: an operation that runs would lose its own record in the middle of its work. */
async function refuseOperations(kube: KubeClient, signal: AbortSignal): Promise<void> {
  for (const type of KINDS.filter(({ plural }) => plural === 'backups' || plural === 'restores')) {
    try {
      for await (const { items } of kube.list({ type }, { signal })) {
        const running = [...items].find((one) => textAt(one, 'status', 'phase') === 'InProgress');
        if (running === undefined) continue;
        const what = `${type.singular} ${running.metadata.namespace ?? ''}/${running.metadata.name}`;
        throw new AppError('conflict', `${what} is running; cancel it or wait for its end`);
      }
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
    }
  }
}
