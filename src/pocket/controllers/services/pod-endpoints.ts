import type { JsonObject } from '../../../base/index.ts';
import type { Pod, Service, ServicePort } from '../kinds/index.ts';
import { isFinished, isGoing, isReady } from '../pod-state.ts';

/** A pod behind a service, with the ports of the service as this pod has them. */
export interface PodEndpoint {
  pod: Pod;
  ip: string;
  isServing: boolean;
  isReady: boolean;
  hostname: string | undefined;
  ports: readonly EndpointPort[];
}

export interface EndpointPort {
  name: string;
  port: number;
  protocol: string;
  appProtocol: string | undefined;
}

/** `withGoing`: slices also show pods that are on their way out. */
export function podEndpoints(service: Service, pods: readonly Pod[], withGoing: boolean): PodEndpoint[] {
  const publishesAll = service.spec?.publishNotReadyAddresses === true;
  return pods.flatMap((pod) => {
    const ip = pod.status?.podIP ?? '';
    if (ip === '' || isFinished(pod) || (isGoing(pod) && !withGoing && !publishesAll)) return [];
    const isServing = isReady(pod);
    const isNamed =
      pod.spec.hostname !== undefined &&
      pod.spec.subdomain === service.metadata.name &&
      pod.metadata.namespace === service.metadata.namespace;
    return [
      {
        pod,
        ip,
        isServing,
        isReady: publishesAll || (isServing && !isGoing(pod)),
        hostname: isNamed ? pod.spec.hostname : undefined,
        ports: portsOf(service, pod),
      },
    ];
  });
}

function portsOf(service: Service, pod: Pod): EndpointPort[] {
  return (service.spec?.ports ?? []).flatMap((port) => {
    const number = portNumber(port, pod);
    if (number === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, port: number, protocol, appProtocol }];
  });
}

/** A named target port may be another number in every pod. */
function portNumber({ port, targetPort = port, protocol = 'TCP' }: ServicePort, pod: Pod): number | undefined {
  if (typeof targetPort === 'number') return targetPort === 0 ? port : targetPort;
  const containers = [
    ...pod.spec.containers,
    ...(pod.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always'),
  ];
  return containers
    .flatMap(({ ports = [] }) => ports)
    .find((one) => one.name === targetPort && (one.protocol ?? 'TCP') === protocol)?.containerPort;
}

export function targetOf({ metadata }: Pod): JsonObject {
  const { namespace = '', name, uid = '' } = metadata;
  return { kind: 'Pod', namespace, name, uid };
}

export function isHeadless(service: Service): boolean {
  const ip = service.spec?.clusterIP ?? '';
  return ip === '' || ip === 'None';
}

/** Endpoints with the same ports belong together. */
export function byPorts(endpoints: readonly PodEndpoint[]): PodEndpoint[][] {
  const groups = new Map<string, PodEndpoint[]>();
  for (const endpoint of endpoints) {
    const key = JSON.stringify(endpoint.ports);
    groups.set(key, [...(groups.get(key) ?? []), endpoint]);
  }
  return [...groups.values()];
}
