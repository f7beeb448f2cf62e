import { isAppError, messageOf } from '../../../base/index.ts';
import type { ResourceType } from '../../../api/meta/resource-type.ts';
import { NAMESPACES, type KubeObject, type Namespace } from '../kinds/index.ts';
import { watch, type Controller, type ObjectKey, type Watch } from '../loop.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps } from '../ports.ts';
import { timestamp } from '../timestamp.ts';
import { namespaceConditions } from './namespace-conditions.ts';

const FINALIZER = 'kubernetes';

/** Empties a namespace that is being deleted, and lets it go when nothing is left. */
export function namespaceController(deps: ControllerDeps): Controller {
  const { client } = deps;
  return {
    name: 'namespace',
    watches: [watch(NAMESPACES), departures],
    reconcile: async ({ name }: ObjectKey) => {
      const namespace = client.get(NAMESPACES, '', name);
      if (namespace === undefined || !isGoing(namespace) || !isHeld(namespace)) return undefined;
      const failures = await empty(deps, name);
      const remaining = contentOf(deps, name);
      // Whoever is last to go calls again.
      if (remaining.size > 0) await writeConditions(deps, namespace, { remaining, failures });
      else await release(deps, name);
      return undefined;
    },
  };
}

/** Every object that leaves a namespace that is going, of whatever kind. */
const departures: Watch = {
  subscribe: ({ client }, add) =>
    client.subscribeAll(({ type, namespace }) => {
      if (type !== 'DELETED' || namespace === '') return;
      const owner = client.get(NAMESPACES, '', namespace);
      if (owner !== undefined && isGoing(owner)) add(`/${namespace}`);
    }),
};

function isHeld(namespace: Namespace): boolean {
  return namespace.spec?.finalizers?.includes(FINALIZER) === true;
}

function contentOf({ client }: ControllerDeps, namespace: string): Map<ResourceType, KubeObject[]> {
  const found = new Map<ResourceType, KubeObject[]>();
  for (const type of client.types()) {
    const objects = type.namespaced ? client.list<KubeObject>(type, namespace) : [];
    if (objects.length > 0) found.set(type, objects);
  }
  return found;
}

/** Pods first: what they use must outlive them. Returns why things could not be deleted. */
async function empty(deps: ControllerDeps, namespace: string): Promise<string[]> {
  const content = [...contentOf(deps, namespace)];
  const pods = content.filter(([type]) => type.plural === 'pods' && type.group === '');
  const failures: string[] = [];
  for (const [type, objects] of pods.length > 0 ? pods : content) {
    const results = await Promise.allSettled(
      objects
        .filter((object) => !isGoing(object))
        .map((object) => deps.client.delete(type, namespace, object.metadata.name, { propagation: 'Background' })),
    );
    for (const result of results) {
      if (result.status === 'rejected' && !isAppError(result.reason, 'notFound')) {
        failures.push(messageOf(result.reason));
      }
    }
  }
  return failures;
}

async function writeConditions(
  { client, clock }: ControllerDeps,
  namespace: Namespace,
  found: { remaining: Map<ResourceType, KubeObject[]>; failures: string[] },
): Promise<void> {
  const conditions = namespaceConditions(namespace.status?.conditions, { ...found, now: timestamp(clock.now()) });
  await client.update(NAMESPACES, { ...namespace, status: { ...namespace.status, conditions } }, 'status');
}

async function release({ client }: ControllerDeps, name: string): Promise<void> {
  const namespace = client.get(NAMESPACES, '', name);
  if (namespace === undefined) return;
  const finalizers = (namespace.spec?.finalizers ?? []).filter((finalizer) => finalizer !== FINALIZER);
  await client.update(NAMESPACES, { ...namespace, spec: { ...namespace.spec, finalizers } }, 'finalize');
}
