import { isObject, objectsAt, type JsonObject } from '../../../base/index.ts';
import { constants, isEmptyMap, isUnset, objectMadeAt, setDefault, setIfAbsent, type Defaulters } from './defaulter.ts';

const THREE_HOURS_SECONDS = 10_800;

function servicePort(port: JsonObject): void {
  setDefault(port, 'protocol', 'TCP');
  if (isUnset(port['targetPort'])) port['targetPort'] = port['port'] ?? 0;
}

function sessionAffinity(spec: JsonObject): void {
  setDefault(spec, 'sessionAffinity', 'None');
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  setIfAbsent(
    objectMadeAt(objectMadeAt(spec, 'sessionAffinityConfig'), 'clientIP'),
    'timeoutSeconds',
    THREE_HOURS_SECONDS,
  );
}

function service(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  sessionAffinity(spec);
  setDefault(spec, 'type', 'ClusterIP');
  const type = spec['type'];
  objectsAt(spec, 'ports').forEach(servicePort);
  const hasExternalIps = type === 'ClusterIP' && Array.isArray(spec['externalIPs']) && spec['externalIPs'].length > 0;
  if (type === 'LoadBalancer' || type === 'NodePort' || hasExternalIps) {
    setDefault(spec, 'externalTrafficPolicy', 'Cluster');
  }
  if (type === 'ClusterIP' || type === 'NodePort' || type === 'LoadBalancer') {
    setIfAbsent(spec, 'internalTrafficPolicy', 'Cluster');
  }
  if (type === 'LoadBalancer') {
    setIfAbsent(spec, 'allocateLoadBalancerNodePorts', true);
    const balancer = isObject(object['status']) ? object['status']['loadBalancer'] : undefined;
    for (const ingress of isObject(balancer) ? objectsAt(balancer, 'ingress') : []) {
      if (!isUnset(ingress['ip'])) setIfAbsent(ingress, 'ipMode', 'VIP');
    }
  }
}

function replicationController(object: JsonObject): void {
  const spec = objectMadeAt(object, 'spec');
  setIfAbsent(spec, 'replicas', 1);
  const metadata = isObject(spec['template']) ? spec['template']['metadata'] : undefined;
  const labels = isObject(metadata) ? metadata['labels'] : undefined;
  if (!isObject(labels)) return;
  if (isEmptyMap(spec['selector'])) spec['selector'] = { ...labels };
  const own = objectMadeAt(object, 'metadata');
  if (isEmptyMap(own['labels'])) own['labels'] = { ...labels };
}

function namespace(object: JsonObject): void {
  const metadata = objectMadeAt(object, 'metadata');
  if (typeof metadata['name'] === 'string' && metadata['name'] !== '') {
    objectMadeAt(metadata, 'labels')['kubernetes.io/metadata.name'] = metadata['name'];
  }
}

function copyMissing(from: JsonObject, to: JsonObject): void {
  for (const [key, value = null] of Object.entries(from)) setIfAbsent(to, key, value);
}

function limitRangeItem(object: JsonObject): void {
  if (object['type'] !== 'Container') return;
  const given = (key: string): JsonObject => (isObject(object[key]) ? object[key] : {});
  const limits = { ...given('default') };
  copyMissing(given('max'), limits);
  const requests = { ...given('defaultRequest') };
  copyMissing(limits, requests);
  copyMissing(given('min'), requests);
  if (Object.keys(limits).length > 0) object['default'] = limits;
  if (Object.keys(requests).length > 0) object['defaultRequest'] = requests;
}

function phase(name: string): (object: JsonObject) => void {
  return (object) => {
    setDefault(objectMadeAt(object, 'status'), 'phase', name);
  };
}

/** Core kinds other than pods. */
export const CORE_DEFAULTS: Defaulters = {
  'io.k8s.api.core.v1.Service': service,
  'io.k8s.api.core.v1.ReplicationController': replicationController,
  'io.k8s.api.core.v1.Namespace': namespace,
  'io.k8s.api.core.v1.NamespaceStatus': (object) => {
    setDefault(object, 'phase', 'Active');
  },
  'io.k8s.api.core.v1.NodeStatus': (object) => {
    if (isObject(object['capacity'])) setIfAbsent(object, 'allocatable', { ...object['capacity'] });
  },
  'io.k8s.api.core.v1.Secret': (object) => {
    setDefault(object, 'type', 'Opaque');
  },
  'io.k8s.api.core.v1.PersistentVolume': (object) => {
    phase('Pending')(object);
    const spec = objectMadeAt(object, 'spec');
    setDefault(spec, 'persistentVolumeReclaimPolicy', 'Retain');
    setIfAbsent(spec, 'volumeMode', 'Filesystem');
  },
  'io.k8s.api.core.v1.PersistentVolumeClaim': phase('Pending'),
  'io.k8s.api.core.v1.PersistentVolumeClaimSpec': constants({ volumeMode: 'Filesystem' }),
  'io.k8s.api.core.v1.EndpointPort': (object) => {
    setDefault(object, 'protocol', 'TCP');
  },
  'io.k8s.api.core.v1.LimitRangeItem': limitRangeItem,
  'io.k8s.api.core.v1.ISCSIVolumeSource': constants({ iscsiInterface: 'default' }),
  'io.k8s.api.core.v1.ISCSIPersistentVolumeSource': constants({ iscsiInterface: 'default' }),
  'io.k8s.api.core.v1.RBDVolumeSource': constants({ pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }),
  'io.k8s.api.core.v1.RBDPersistentVolumeSource': constants({
    pool: 'rbd',
    user: 'admin',
    keyring: '/etc/ceph/keyring',
  }),
};
