import type { JsonObject } from '../../../base/index.ts';
import type { Pod, Service, Subset } from '../kinds/index.ts';
import { byPorts, isHeadless, podEndpoints, targetOf, type PodEndpoint } from './pod-endpoints.ts';

const MANAGED_BY = 'endpoints.kubernetes.io/managed-by';
const HEADLESS = 'service.kubernetes.io/headless';
/** Beyond this the real controller leaves addresses out too; slices have them all. */
const MAX_ADDRESSES = 1000;

export function endpointsLabels(service: Service): Record<string, string> {
  const { [HEADLESS]: _old, ...labels } = service.metadata.labels ?? {};
  return { ...labels, ...(isHeadless(service) ? { [HEADLESS]: '' } : {}), [MANAGED_BY]: 'endpoint-controller' };
}

export function endpointsSubsets(service: Service, pods: readonly Pod[]): Subset[] {
  const endpoints = podEndpoints(service, pods, false).slice(0, MAX_ADDRESSES);
  const hasPorts = (service.spec?.ports ?? []).length > 0;
  return byPorts(endpoints).flatMap((group) => {
    const ports = (group[0]?.ports ?? []).map(({ name, port, protocol, appProtocol }) => ({
      ...(name === '' ? {} : { name }),
      port,
      protocol,
      ...(appProtocol === undefined ? {} : { appProtocol }),
    }));
    if (hasPorts && ports.length === 0) return [];
    const ready = group.filter((endpoint) => endpoint.isReady).map(address);
    const unready = group.filter((endpoint) => !endpoint.isReady).map(address);
    return [
      {
        ...(ready.length === 0 ? {} : { addresses: ready.sort(byIp) }),
        ...(unready.length === 0 ? {} : { notReadyAddresses: unready.sort(byIp) }),
        ...(ports.length === 0 ? {} : { ports }),
      },
    ];
  });
}

function address({ pod, ip, hostname }: PodEndpoint): JsonObject & { ip: string } {
  const { nodeName } = pod.spec;
  return {
    ip,
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    targetRef: targetOf(pod),
  };
}

function byIp(a: { ip: string }, b: { ip: string }): number {
  return a.ip < b.ip ? -1 : 1;
}
