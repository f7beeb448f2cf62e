import { CLAIMS, PODS } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey } from '../loop.ts';
import { controllerReference } from '../owned.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';

/** Makes the claims of a pod's ephemeral volumes; the garbage collector takes them when the pod is gone. */
export function ephemeralClaimController({ client }: ControllerDeps): Controller {
  return {
    name: 'ephemeral-volume',
    watches: [watch(PODS)],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const pod = client.get(PODS, namespace, name);
      if (pod === undefined || isGoing(pod)) return undefined;
      for (const { name: volume, ephemeral } of pod.spec.volumes ?? []) {
        const template = ephemeral?.volumeClaimTemplate;
        const claimName = `${name}-${volume}`;
        if (template === undefined || client.get(CLAIMS, namespace, claimName) !== undefined) continue;
        const { labels, annotations } = template.metadata ?? {};
        await client.create(CLAIMS, {
          metadata: {
            name: claimName,
            namespace,
            ...(labels === undefined ? {} : { labels }),
            ...(annotations === undefined ? {} : { annotations }),
            ownerReferences: [controllerReference(PODS, pod)],
          },
          spec: template.spec,
        });
      }
      return undefined;
    },
  };
}
