import { isEqual, type JsonObject } from '../../../base/index.ts';
import { SERVICES, type Endpoint, type EndpointSlice, type Pod, type Service } from '../kinds/index.ts';
import { controllerReference } from '../owned.ts';
import { isGoing } from '../pod-state.ts';
import { byPorts, isHeadless, podEndpoints, targetOf, type PodEndpoint } from './pod-endpoints.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';
const MANAGED_BY = 'endpointslice.kubernetes.io/managed-by';
const CONTROLLER = 'endpointslice-controller.k8s.io';
const HEADLESS = 'service.kubernetes.io/headless';
const MAX_IN_A_SLICE = 100;

interface Content {
  endpoints: Endpoint[];
  ports: JsonObject[];
}

interface SlicePlan {
  create: JsonObject[];
  update: EndpointSlice[];
  remove: EndpointSlice[];
}

export function isManaged(slice: EndpointSlice, service: { name: string }): boolean {
  const { labels = {} } = slice.metadata;
  return labels[MANAGED_BY] === CONTROLLER && labels[SERVICE_NAME] === service.name;
}

/** Which service a slice is for, if it is one of ours. */
export function serviceOf(slice: EndpointSlice): string | undefined {
  const { labels = {} } = slice.metadata;
  return labels[MANAGED_BY] === CONTROLLER ? labels[SERVICE_NAME] : undefined;
}

/** A service always has a slice, if need be an empty one. Slices that exist are filled anew before others are made. */
export function planSlices(service: Service, pods: readonly Pod[], existing: readonly EndpointSlice[]): SlicePlan {
  const contents = contentsOf(service, pods);
  const labels = labelsOf(service);
  const reusable = existing.filter((slice) => slice.addressType === 'IPv4' && !isGoing(slice));
  const plan: SlicePlan = {
    create: [],
    update: [],
    remove: existing.filter((one) => !reusable.includes(one) && !isGoing(one)),
  };
  const free = [...reusable];
  for (const content of contents) {
    const slice = takeBest(free, content);
    if (slice === undefined) plan.create.push(newSlice(service, content, labels));
    else if (!isSame(slice, content, labels)) {
      plan.update.push({ ...slice, ...content, metadata: { ...slice.metadata, labels } });
    }
  }
  plan.remove.push(...free);
  return plan;
}

function contentsOf(service: Service, pods: readonly Pod[]): Content[] {
  const groups = byPorts(podEndpoints(service, pods, true));
  const contents: Content[] = [];
  for (const group of groups) {
    const sorted = group.toSorted((a, b) => (a.ip < b.ip ? -1 : 1));
    for (let i = 0; i < sorted.length; i += MAX_IN_A_SLICE) {
      const part = sorted.slice(i, i + MAX_IN_A_SLICE);
      contents.push({ endpoints: part.map(endpoint), ports: slicePorts(part[0]) });
    }
  }
  return contents.length === 0 ? [{ endpoints: [], ports: [] }] : contents;
}

function endpoint({ pod, ip, isServing, isReady, hostname }: PodEndpoint): Endpoint {
  const { nodeName } = pod.spec;
  return {
    addresses: [ip],
    conditions: { ready: isReady, serving: isServing, terminating: isGoing(pod) },
    ...(hostname === undefined ? {} : { hostname }),
    targetRef: targetOf(pod),
    ...(nodeName === undefined ? {} : { nodeName }),
  };
}

function slicePorts(first: PodEndpoint | undefined): JsonObject[] {
  return (first?.ports ?? []).map(({ name, port, protocol, appProtocol }) => ({
    name,
    port,
    protocol,
    ...(appProtocol === undefined ? {} : { appProtocol }),
  }));
}

/** A slice with the same ports, so that endpoints do not wander between slices; else any. */
function takeBest(free: EndpointSlice[], content: Content): EndpointSlice | undefined {
  const same = free.findIndex((slice) => isEqual(slice.ports ?? [], content.ports));
  const [taken] = free.splice(Math.max(0, same), 1);
  return taken;
}

function isSame(slice: EndpointSlice, content: Content, labels: Record<string, string>): boolean {
  return (
    isEqual(slice.endpoints, content.endpoints) &&
    isEqual(slice.ports ?? [], content.ports) &&
    isEqual(slice.metadata.labels, labels)
  );
}

function labelsOf(service: Service): Record<string, string> {
  const { [HEADLESS]: _old, ...labels } = service.metadata.labels ?? {};
  return {
    ...labels,
    ...(isHeadless(service) ? { [HEADLESS]: '' } : {}),
    [SERVICE_NAME]: service.metadata.name,
    [MANAGED_BY]: CONTROLLER,
  };
}

function newSlice(service: Service, content: Content, labels: Record<string, string>): JsonObject {
  const { name, namespace = '' } = service.metadata;
  return {
    metadata: {
      generateName: `${name}-`,
      namespace,
      labels,
      ownerReferences: [controllerReference(SERVICES, service)],
    },
    addressType: 'IPv4',
    ...content,
  };
}
