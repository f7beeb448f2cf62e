import { ENDPOINT_SLICES, SERVICES, type EndpointSlice, type Service } from '../../controllers/kinds/index.ts';
import { scalarTextAt } from '../../apiserver/object/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';
import { serviceNames, type HostLine } from './hosts-file.ts';

const SERVICE_NAME = 'kubernetes.io/service-name';

/** A pod behind a service. */
export interface Backend {
  ip: string;
  hostname: string | undefined;
  /** By the name of the service's port. */
  ports: Readonly<Record<string, number>>;
}

/** The pods behind a service that are ready. */
export function backendsOf(client: ControlClient, { metadata }: Service): Backend[] {
  const slices = client
    .list(ENDPOINT_SLICES, metadata.namespace)
    .filter((slice) => slice.metadata.labels?.[SERVICE_NAME] === metadata.name);
  return slices.flatMap(backendsIn);
}

function backendsIn({ endpoints, ports }: EndpointSlice): Backend[] {
  const numbers = Object.fromEntries((ports ?? []).map((port) => [scalarTextAt(port, 'name'), Number(port['port'])]));
  return (endpoints ?? []).flatMap(({ addresses, conditions, hostname }) => {
    const [ip = ''] = addresses;
    if (ip === '' || scalarTextAt(conditions, 'ready') === 'false') return [];
    return [{ ip, hostname: typeof hostname === 'string' ? hostname : undefined, ports: numbers }];
  });
}

/** The lines of a hosts file that lead to services, for pods of a namespace. */
export function serviceLines(client: ControlClient, podNamespace: string): HostLine[] {
  return client.list(SERVICES).flatMap((service): HostLine[] => {
    const { name, namespace = '' } = service.metadata;
    const names = serviceNames(name, namespace, podNamespace);
    const ip = service.spec?.clusterIP ?? '';
    if (ip !== '' && ip !== 'None') return [{ ip, names }];
    if (ip !== 'None') return [];
    return backendsOf(client, service).map((backend) => {
      const own = backend.hostname === undefined ? [] : names.map((one) => `${backend.hostname ?? ''}.${one}`);
      return { ip: backend.ip, names: [...names, ...own] };
    });
  });
}
