import { isAppError, isEqual } from '../../../base/index.ts';
import { ENDPOINT_SLICES, ENDPOINTS, PODS, SERVICES, type Pod, type Service } from '../kinds/index.ts';
import { keyOf, watch, type Controller, type ObjectKey } from '../loop.ts';
import { isGoing } from '../pod-state.ts';
import type { Change, ControllerDeps } from '../ports.ts';
import { matchesLabels } from '../selector.ts';
import { isManaged, planSlices, serviceOf } from './endpoint-slices-plan.ts';
import { endpointsLabels, endpointsSubsets } from './endpoints-object.ts';

/** Lists the pods behind every service, as Endpoints and as EndpointSlices. */
export function endpointsController(deps: ControllerDeps): Controller {
  const { client } = deps;
  return {
    name: 'endpoints',
    watches: [
      watch(SERVICES),
      watch(PODS, (change) => servicesOf(deps, change)),
      watch(ENDPOINTS, ({ type, object }) => (type === 'MODIFIED' ? [] : [keyOf(object.metadata)])),
      watch(ENDPOINT_SLICES, function* ({ object }) {
        const name = serviceOf(object);
        if (name !== undefined) yield keyOf({ namespace: object.metadata.namespace, name });
      }),
    ],
    reconcile: async ({ namespace, name }: ObjectKey) => {
      const service = client.get(SERVICES, namespace, name);
      if (service === undefined) {
        await removeEndpoints(deps, namespace, name);
        return undefined;
      }
      const { selector = {}, type } = service.spec ?? {};
      // Without a selector somebody else says where the service leads.
      if (isGoing(service) || type === 'ExternalName' || Object.keys(selector).length === 0) return undefined;
      const pods = client.list(PODS, namespace).filter((pod) => matchesLabels(selector, pod.metadata.labels));
      await Promise.all([writeEndpoints(deps, service, pods), writeSlices(deps, service, pods)]);
      return undefined;
    },
  };
}

function* servicesOf({ client }: ControllerDeps, { object, previous }: Change<Pod>): Iterable<string> {
  const namespace = object.metadata.namespace ?? '';
  for (const { metadata, spec } of client.list(SERVICES, namespace)) {
    const selector = spec?.selector ?? {};
    if (Object.keys(selector).length === 0) continue;
    const isConcerned = [object, previous].some(
      (pod) => pod !== undefined && matchesLabels(selector, pod.metadata.labels),
    );
    if (isConcerned) yield keyOf(metadata);
  }
}

async function removeEndpoints({ client }: ControllerDeps, namespace: string, name: string): Promise<void> {
  const existing = client.get(ENDPOINTS, namespace, name);
  // Endpoints that somebody made for himself stay.
  if (existing?.metadata.labels?.['endpoints.kubernetes.io/managed-by'] === undefined) return;
  try {
    await client.delete(ENDPOINTS, namespace, name);
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
  }
}

async function writeEndpoints({ client }: ControllerDeps, service: Service, pods: readonly Pod[]): Promise<void> {
  const { name, namespace = '' } = service.metadata;
  const labels = endpointsLabels(service);
  const subsets = endpointsSubsets(service, pods);
  const existing = client.get(ENDPOINTS, namespace, name);
  if (existing === undefined) {
    await client.create(ENDPOINTS, { metadata: { name, namespace, labels }, subsets });
  } else if (!isEqual(existing.subsets ?? [], subsets) || !isEqual(existing.metadata.labels, labels)) {
    await client.update(ENDPOINTS, { ...existing, metadata: { ...existing.metadata, labels }, subsets });
  }
}

async function writeSlices({ client }: ControllerDeps, service: Service, pods: readonly Pod[]): Promise<void> {
  const { namespace = '' } = service.metadata;
  const existing = client.list(ENDPOINT_SLICES, namespace).filter((slice) => isManaged(slice, service.metadata));
  const { create, update, remove } = planSlices(service, pods, existing);
  await Promise.all([
    ...create.map((slice) => client.create(ENDPOINT_SLICES, slice)),
    ...update.map((slice) => client.update(ENDPOINT_SLICES, slice)),
    ...remove.map((slice) => client.delete(ENDPOINT_SLICES, namespace, slice.metadata.name)),
  ]);
}
