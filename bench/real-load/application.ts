import type { JsonObject } from '../../src/base/index.ts';
import { customResource, type Definition } from './definitions.ts';
import type { Dice } from './dice.ts';
import { lived, type Made } from './metadata.ts';

/** Made one after the other; whoever makes an object says what uid it got. */
export type Making = Generator<Made, void, string>;

export interface Place {
  namespace: string;
  team: string;
  dice: Dice;
  definitions: readonly Definition[];
}

const KIB = 1024;
const OLD_REPLICA_SETS = 2;
const CUSTOM_RESOURCES = 4;
const CORE = '/api/v1';

/** One application as a team runs it: about 17 objects, of which controllers and kubelets make as many more. */
export function* application(name: string, place: Place): Making {
  const { dice, namespace, team } = place;
  const labels = { app: name, team, 'app.kubernetes.io/managed-by': 'Helm' };
  const at = (group: string, plural: string): string => `${group}/namespaces/${namespace}/${plural}`;
  const make: Make = (path, apiVersion, kind, { suffix = '', ...fields }) => {
    const metadata = { name: `${name}${suffix}`, namespace, labels };
    return { path, object: lived(dice, { apiVersion, kind, ...fields, metadata }) };
  };
  yield make(at(CORE, 'serviceaccounts'), 'v1', 'ServiceAccount', {});
  const rules = [{ apiGroups: [''], resources: ['configmaps', 'secrets', 'pods'], verbs: ['get', 'list', 'watch'] }];
  const rbac = 'rbac.authorization.k8s.io/v1';
  yield make(at(`/apis/${rbac}`, 'roles'), rbac, 'Role', { rules });
  yield make(at(`/apis/${rbac}`, 'rolebindings'), rbac, 'RoleBinding', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name },
    subjects: [{ kind: 'ServiceAccount', name, namespace }],
  });
  for (const suffix of ['', '-files']) {
    const data = { 'application.yaml': dice.words(dice.size(KIB, 40 * KIB)), LOG_LEVEL: 'info' };
    yield make(at(CORE, 'configmaps'), 'v1', 'ConfigMap', { data, suffix });
  }
  for (const suffix of ['', '-tls']) {
    const value = Buffer.from(dice.letters(dice.size(100, 4 * KIB))).toString('base64');
    yield make(at(CORE, 'secrets'), 'v1', 'Secret', { type: 'Opaque', data: { value }, suffix });
  }
  yield make(at(CORE, 'services'), 'v1', 'Service', {
    spec: { selector: { app: name }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
  });
  const hasClaim = dice.chance(0.33);
  if (hasClaim) yield* volume(name, place, make);
  const template = podTemplate(name, labels, hasClaim, dice);
  const deployment = make(at('/apis/apps/v1', 'deployments'), 'apps/v1', 'Deployment', {
    spec: { replicas: dice.between(1, 4), selector: { matchLabels: { app: name } }, template },
  });
  const uid = yield deployment;
  for (let revision = 1; revision <= OLD_REPLICA_SETS; revision += 1) {
    yield oldReplicaSet(make(at('/apis/apps/v1', 'replicasets'), 'apps/v1', 'ReplicaSet', {}), {
      ...{ name, uid, revision, template },
      hash: dice.letters(10),
    });
  }
  yield* around(name, place, make);
}

/** Named after the application, with a suffix if there is one among the fields. */
type Make = (path: string, apiVersion: string, kind: string, fields: JsonObject & { suffix?: string }) => Made;

/** What stands beside the workload: traffic, rights to disrupt, and custom resources. */
function* around(name: string, { dice, namespace, definitions }: Place, make: Make): Making {
  const selector = { matchLabels: { app: name } };
  if (dice.chance(0.5)) {
    const rules = [
      {
        host: `${name}.${namespace}.example.com`,
        http: {
          paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name, port: { name: 'http' } } } }],
        },
      },
    ];
    const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`;
    yield make(path, 'networking.k8s.io/v1', 'Ingress', { spec: { rules } });
  }
  if (dice.chance(0.5)) {
    const path = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
    yield make(path, 'networking.k8s.io/v1', 'NetworkPolicy', {
      spec: { podSelector: selector, policyTypes: ['Ingress'], ingress: [{ from: [{ podSelector: {} }] }] },
    });
  }
  if (dice.chance(0.5)) {
    const path = `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`;
    yield make(path, 'policy/v1', 'PodDisruptionBudget', { spec: { selector, maxUnavailable: 1 } });
  }
  const namespaced = definitions.filter(({ isNamespaced }) => isNamespaced);
  for (let at = 0; at < CUSTOM_RESOURCES && namespaced.length > 0; at += 1) {
    // A few kinds are everywhere, most are rare.
    const definition = namespaced[Math.floor(namespaced.length * (dice.between(0, 999) / 1000) ** 3)]!;
    const { path, object } = customResource(definition, `${name}-${String(at)}`, dice, namespace);
    yield { path, object: lived(dice, object) };
  }
}

/** A claim and the volume it is bound to. */
function* volume(name: string, { namespace }: Place, make: Make): Making {
  const volumeName = `pv-${namespace}-${name}`;
  const spec = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const volume = make(`${CORE}/persistentvolumes`, 'v1', 'PersistentVolume', {
    spec: {
      ...spec,
      capacity: { storage: '1Gi' },
      persistentVolumeReclaimPolicy: 'Retain',
      hostPath: { path: `/var/data/${namespace}/${name}` },
      claimRef: { namespace, name },
    },
  });
  const { namespace: _namespace, ...metadata } = volume.object['metadata'] as JsonObject;
  yield { path: volume.path, object: { ...volume.object, metadata: { ...metadata, name: volumeName } } };
  yield make(`${CORE}/namespaces/${namespace}/persistentvolumeclaims`, 'v1', 'PersistentVolumeClaim', {
    spec: { ...spec, volumeName, resources: { requests: { storage: '1Gi' } } },
  });
}

function podTemplate(name: string, labels: JsonObject, hasClaim: boolean, dice: Dice): JsonObject {
  const env = Array.from({ length: dice.between(5, 25) }, (_, at) => ({
    name: `SETTING_${String(at)}`,
    value: dice.words(dice.between(5, 60)),
  }));
  const container = (container: string, ports: JsonObject): JsonObject => ({
    name: container,
    image: `registry.example.com/${name}/${container}:1.${String(dice.between(0, 40))}`,
    ...ports,
    env,
    envFrom: [{ configMapRef: { name } }, { secretRef: { name } }],
    resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    livenessProbe: { httpGet: { path: '/healthz', port: 8080 }, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 8080 } },
    volumeMounts: [{ name: 'files', mountPath: '/etc/files' }],
  });
  const containers = [container('web', { ports: [{ name: 'http', containerPort: 8080 }] })];
  if (dice.chance(0.3)) containers.push(container('sidecar', {}));
  const volumes: JsonObject[] = [{ name: 'files', configMap: { name: `${name}-files` } }];
  if (hasClaim) volumes.push({ name: 'data', persistentVolumeClaim: { claimName: name } });
  return {
    metadata: { labels, annotations: { 'checksum/config': dice.letters(64) } },
    spec: { serviceAccountName: name, containers, volumes },
  };
}

/** Of a revision that nothing runs any more. */
function oldReplicaSet(
  { path, object }: Made,
  of: { name: string; uid: string; revision: number; template: JsonObject; hash: string },
): Made {
  const { name, uid, revision, template, hash } = of;
  const { metadata, spec } = template as { metadata: { labels: JsonObject }; spec: { containers: JsonObject[] } };
  const labels = { ...metadata.labels, 'pod-template-hash': hash };
  const containers = spec.containers.map((container) => ({ ...container, image: `old.example.com/${name}:${hash}` }));
  return {
    path,
    object: {
      ...object,
      metadata: {
        ...(object['metadata'] as JsonObject),
        ...{ name: `${name}-${hash}`, labels },
        annotations: { 'deployment.kubernetes.io/revision': String(revision) },
        ownerReferences: [
          { apiVersion: 'apps/v1', kind: 'Deployment', name, uid, controller: true, blockOwnerDeletion: true },
        ],
      },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: name, 'pod-template-hash': hash } },
        template: { metadata: { ...metadata, labels }, spec: { ...spec, containers } },
      },
    },
  };
}
