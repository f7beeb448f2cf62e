import { isIP } from 'node:net';
import { isObject, objectAt, type JsonObject } from '../../../../base/index.ts';
import type { FieldError } from '../../../schema/index.ts';
import { listAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import type { KindContext, KindRules } from './kind-rules.ts';

const NODE_PORT_MIN = 30_000;
const NODE_PORT_MAX = 32_767;
const HEADLESS = 'None';
const IP_COUNT = 256 * 256 - 2;

/** Allocates cluster IPs from the range of the cluster and node ports from 30000-32767. */
export const serviceRules: KindRules = {
  create(object, context) {
    object['status'] ??= { loadBalancer: {} };
    return [...allocateIp(object, context), ...allocatePorts(object, context), ...allocateHealthPort(object, context)];
  },
  update(object, old, context) {
    const spec = objectAt(object, 'spec');
    const had = objectAt(old, 'spec');
    if (needsIp(spec) && needsIp(had)) {
      for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) spec[field] ??= had[field];
    }
    keepPorts(spec, had);
    dropOfOldType(spec, had);
    if (keepsHealthPort(spec) && keepsHealthPort(had)) spec['healthCheckNodePort'] ??= had['healthCheckNodePort'];
    return [
      ...allocateIp(object, context, scalarTextAt(had, 'clusterIP')),
      ...allocatePorts(object, context),
      ...allocateHealthPort(object, context),
    ];
  },
};

/** What only the old type has goes with it, unless the update says it anew. */
function dropOfOldType(spec: JsonObject, had: JsonObject): void {
  const left = (...types: string[]): boolean =>
    types.includes(scalarTextAt(had, 'type')) && !types.includes(scalarTextAt(spec, 'type'));
  const fields = [
    ...(left('ClusterIP', 'NodePort', 'LoadBalancer') ? ['internalTrafficPolicy'] : []),
    ...(left('NodePort', 'LoadBalancer') ? ['externalTrafficPolicy'] : []),
    ...(left('LoadBalancer') ? ['allocateLoadBalancerNodePorts', 'healthCheckNodePort', 'loadBalancerClass'] : []),
  ];
  for (const field of fields) if (spec[field] === had[field]) Reflect.deleteProperty(spec, field);
}

function needsIp(spec: JsonObject): boolean {
  return scalarTextAt(spec, 'type') !== 'ExternalName';
}

function needsPorts(spec: JsonObject): boolean {
  return (
    ['NodePort', 'LoadBalancer'].includes(scalarTextAt(spec, 'type')) && spec['allocateLoadBalancerNodePorts'] !== false
  );
}

function others(object: ApiObject, store: ObjectStore): Readonly<ApiObject>[] {
  const { namespace = '', name } = object.metadata;
  return store
    .list('services')
    .filter((stored) => stored.namespace !== namespace || stored.name !== name)
    .map((stored) => stored.object);
}

/** `had` is the address it has already, which is not judged again. */
function allocateIp(object: ApiObject, { store, random, servicePrefix }: KindContext, had = ''): FieldError[] {
  const spec = objectAt(object, 'spec');
  if (!needsIp(spec)) {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'])
      Reflect.deleteProperty(spec, field);
    return [];
  }
  const wanted = scalarTextAt(spec, 'clusterIP') || scalarTextAt(listAt(spec, 'clusterIPs')[0]);
  if (wanted === HEADLESS) spec['clusterIP'] = HEADLESS;
  else {
    const taken = new Set(others(object, store).map((other) => scalarTextAt(other, 'spec', 'clusterIP')));
    const errors = wanted === '' || wanted === had ? [] : ipErrors(wanted, taken, servicePrefix);
    if (errors.length > 0) return errors;
    spec['clusterIP'] = wanted === '' ? freeIp(taken, random, servicePrefix) : wanted;
  }
  spec['clusterIPs'] = [scalarTextAt(spec, 'clusterIP')];
  setFamilies(spec);
  spec['internalTrafficPolicy'] ??= 'Cluster';
  return [];
}

/** Without an address and without pods there is nothing that could be of one family only. */
function setFamilies(spec: JsonObject): void {
  const isBoth = spec['clusterIP'] === HEADLESS && spec['selector'] === undefined;
  spec['ipFamilies'] ??= isBoth ? ['IPv4', 'IPv6'] : ['IPv4'];
  spec['ipFamilyPolicy'] ??= isBoth ? 'RequireDualStack' : 'SingleStack';
}

function ipErrors(ip: string, taken: ReadonlySet<string>, prefix: string): FieldError[] {
  const shown = JSON.stringify(ip);
  if (isIP(ip) === 0) {
    const message = `Invalid value: ${shown}: must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`;
    return [{ reason: 'FieldValueInvalid', message, field: 'spec.clusterIPs[0]' }];
  }
  const refused = (why: string): FieldError[] => {
    const message = `Invalid value: [${shown}]: failed to allocate IP ${ip}: ${why}`;
    return [{ reason: 'FieldValueInvalid', message, field: 'spec.clusterIPs' }];
  };
  if (!ip.startsWith(prefix)) return refused('the provided network does not match the current range');
  return taken.has(ip) ? refused('provided IP is already allocated') : [];
}

function freeIp(taken: ReadonlySet<string>, random: () => number, prefix: string): string {
  const start = Math.floor(random() * IP_COUNT);
  for (let i = 0; i < IP_COUNT; i += 1) {
    const number = 1 + ((start + i) % IP_COUNT);
    const ip = `${prefix}${number >> 8}.${number & 255}`;
    if (!taken.has(ip)) return ip;
  }
  return '';
}

interface Port {
  port: JsonObject;
  field: string;
  protocol: string;
}

function portsOf(spec: JsonObject): Port[] {
  return listAt(spec, 'ports')
    .filter(isObject)
    .map((port, i) => ({
      port,
      field: `spec.ports[${i}].nodePort`,
      protocol: scalarTextAt(port, 'protocol') || 'TCP',
    }));
}

/** A port that is kept keeps its node port when the update does not say it, found by name or number. */
function keepPorts(spec: JsonObject, had: JsonObject): void {
  if (!needsPorts(spec)) {
    for (const { port } of portsOf(spec)) {
      if (needsPorts(had) && scalarTextAt(spec, 'type') === 'ClusterIP') Reflect.deleteProperty(port, 'nodePort');
    }
    return;
  }
  for (const { port, protocol } of portsOf(spec)) {
    const before = portsOf(had).find(
      (other) =>
        other.port['port'] === port['port'] && other.protocol === protocol && other.port['nodePort'] !== undefined,
    );
    if (before !== undefined && !port['nodePort']) port['nodePort'] = before.port['nodePort'];
  }
}

function allocatePorts(object: ApiObject, { store, random }: KindContext): FieldError[] {
  const spec = objectAt(object, 'spec');
  if (!needsPorts(spec)) return scalarTextAt(spec, 'type') === 'ClusterIP' ? unusedPorts(spec) : [];
  const taken = new Set(
    others(object, store).flatMap((other) =>
      portsOf(objectAt(other, 'spec')).map(({ port, protocol }) => `${protocol}/${scalarTextAt(port, 'nodePort')}`),
    ),
  );
  const errors: FieldError[] = [];
  for (const { port, field, protocol } of portsOf(spec)) {
    const wanted = port['nodePort'];
    if (typeof wanted === 'number' && wanted !== 0) {
      errors.push(...portError(wanted, field, taken.has(`${protocol}/${wanted}`)));
      taken.add(`${protocol}/${wanted}`);
    }
  }
  for (const { port, protocol } of portsOf(spec)) {
    if (port['nodePort']) continue;
    const free = freePort(taken, protocol, random);
    port['nodePort'] = free;
    taken.add(`${protocol}/${free}`);
  }
  return errors;
}

/** Balancers ask at this port whether a node has a pod of the service. */
function keepsHealthPort(spec: JsonObject): boolean {
  return spec['type'] === 'LoadBalancer' && spec['externalTrafficPolicy'] === 'Local';
}

function allocateHealthPort(object: ApiObject, { store, random }: KindContext): FieldError[] {
  const spec = objectAt(object, 'spec');
  if (!keepsHealthPort(spec)) {
    Reflect.deleteProperty(spec, 'healthCheckNodePort');
    return [];
  }
  if (spec['healthCheckNodePort']) return [];
  const taken = new Set(
    [object, ...others(object, store)].flatMap((other) => {
      const otherSpec = objectAt(other, 'spec');
      const ports = portsOf(otherSpec).map(({ port }) => scalarTextAt(port, 'nodePort'));
      return [...ports, scalarTextAt(otherSpec, 'healthCheckNodePort')].map((port) => `TCP/${port}`);
    }),
  );
  spec['healthCheckNodePort'] = freePort(taken, 'TCP', random);
  return [];
}

function unusedPorts(spec: JsonObject): FieldError[] {
  const message = "Forbidden: may not be used when `type` is 'ClusterIP'";
  return portsOf(spec).flatMap(({ port, field }) =>
    port['nodePort'] ? [{ reason: 'FieldValueForbidden' as const, message, field }] : [],
  );
}

function portError(port: number, field: string, isTaken: boolean): FieldError[] {
  if (port < NODE_PORT_MIN || port > NODE_PORT_MAX) {
    const range = `The range of valid ports is ${NODE_PORT_MIN}-${NODE_PORT_MAX}`;
    const message = `Invalid value: ${port}: provided port is not in the valid range. ${range}`;
    return [{ reason: 'FieldValueInvalid', message, field }];
  }
  const message = `Invalid value: ${port}: provided port is already allocated`;
  return isTaken ? [{ reason: 'FieldValueInvalid', message, field }] : [];
}

function freePort(taken: ReadonlySet<string>, protocol: string, random: () => number): number {
  const count = NODE_PORT_MAX - NODE_PORT_MIN + 1;
  const start = Math.floor(random() * count);
  for (let i = 0; i < count; i += 1) {
    const port = NODE_PORT_MIN + ((start + i) % count);
    if (!taken.has(`${protocol}/${port}`)) return port;
  }
  return 0;
}
