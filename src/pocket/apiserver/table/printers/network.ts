import { objectAt, valueAt, type Json } from '../../../../base/index.ts';
import { listAt, numberAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { AGE, NAME, text, wide, type Column } from '../column.ts';
import { firstThree, formatLabels, formatSelector, NONE, orNone } from './cells.ts';

type Service = Readonly<ApiObject>;

export const NETWORK_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  services: [
    NAME,
    text('Type', (service) => scalarTextAt(service, 'spec', 'type')),
    text('Cluster-IP', (service) => orNone(scalarTextAt(listAt(service, 'spec', 'clusterIPs')[0]))),
    text('External-IP', externalIp),
    text('Port(s)', (service) => orNone(listAt(service, 'spec', 'ports').map(formatPort).join(','))),
    AGE,
    wide(text('Selector', (service) => formatLabels(objectAt(service, 'spec', 'selector')))),
  ],
  endpoints: [NAME, text('Endpoints', (object) => firstThree(addresses(object))), AGE],
  'endpointslices.discovery.k8s.io': [
    NAME,
    text('AddressType', (slice) => scalarTextAt(slice, 'addressType')),
    text('Ports', (slice) => slicePorts(slice)),
    text('Endpoints', (slice) => sliceEndpoints(slice)),
    AGE,
  ],
  'ingresses.networking.k8s.io': [
    NAME,
    text('Class', (ingress) => orNone(scalarTextAt(ingress, 'spec', 'ingressClassName'))),
    text('Hosts', hosts),
    text('Address', (ingress) => balancerAddresses(ingress).join(',')),
    text('Ports', (ingress) => (listAt(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    AGE,
  ],
  'ingressclasses.networking.k8s.io': [
    { ...NAME, cell: (object) => withDefault(object, 'ingressclass.kubernetes.io/is-default-class') },
    text('Controller', (object) => scalarTextAt(object, 'spec', 'controller')),
    text('Parameters', parameters),
    AGE,
  ],
  'networkpolicies.networking.k8s.io': [
    NAME,
    text('Pod-Selector', (policy) => formatSelector(valueAt(policy, 'spec', 'podSelector'), NONE)),
    AGE,
  ],
};

/** kubectl marks the class that is used when none is named. */
export function withDefault(object: Readonly<ApiObject>, annotation: string): string {
  const isDefault = object.metadata.annotations?.[annotation] === 'true';
  return isDefault ? `${object.metadata.name} (default)` : object.metadata.name;
}

function externalIp(service: Service): string {
  const own = listAt(service, 'spec', 'externalIPs').map(String);
  switch (scalarTextAt(service, 'spec', 'type')) {
    case 'ClusterIP':
    case 'NodePort':
      return orNone(own.join(','));
    case 'LoadBalancer':
      return [...balancerAddresses(service), ...own].join(',') || '<pending>';
    case 'ExternalName':
      return scalarTextAt(service, 'spec', 'externalName');
    default:
      return '<unknown>';
  }
}

function balancerAddresses(object: Readonly<ApiObject>): string[] {
  const points = listAt(object, 'status', 'loadBalancer', 'ingress');
  return [...new Set(points.map((point) => scalarTextAt(point, 'ip') || scalarTextAt(point, 'hostname')))]
    .filter(Boolean)
    .sort();
}

function formatPort(port: Json): string {
  const nodePort = numberAt(port, 'nodePort');
  const number = nodePort > 0 ? `${numberAt(port, 'port')}:${nodePort}` : String(numberAt(port, 'port'));
  return `${number}/${scalarTextAt(port, 'protocol')}`;
}

function addresses(endpoints: Readonly<ApiObject>): string[] {
  return listAt(endpoints, 'subsets').flatMap((subset) => {
    const ips = listAt(subset, 'addresses').map((address) => scalarTextAt(address, 'ip'));
    const ports = listAt(subset, 'ports');
    if (ports.length === 0) return ips;
    return ports.flatMap((port) => ips.map((ip) => `${ip}:${numberAt(port, 'port')}`));
  });
}

function slicePorts(slice: Readonly<ApiObject>): string {
  const ports = listAt(slice, 'ports').map((port) => scalarTextAt(port, 'port') || '*');
  return ports.length === 0 ? '<unset>' : firstThree(ports);
}

function sliceEndpoints(slice: Readonly<ApiObject>): string {
  const all = listAt(slice, 'endpoints').flatMap((endpoint) => listAt(endpoint, 'addresses').map(String));
  return all.length === 0 ? '<unset>' : firstThree(all);
}

function hosts(ingress: Readonly<ApiObject>): string {
  const rules = listAt(ingress, 'spec', 'rules');
  const named = rules.map((rule) => scalarTextAt(rule, 'host')).filter((host) => host !== '');
  if (named.length === 0) return '*';
  return named.length > 3 ? `${named.slice(0, 3).join(',')} + ${rules.length - 3} more...` : named.join(',');
}

function parameters(ingressClass: Readonly<ApiObject>): string {
  const given = objectAt(ingressClass, 'spec', 'parameters');
  const kind = scalarTextAt(given, 'kind');
  if (kind === '') return NONE;
  const group = scalarTextAt(given, 'apiGroup');
  return `${group === '' ? kind : `${kind}.${group}`}/${scalarTextAt(given, 'name')}`;
}
