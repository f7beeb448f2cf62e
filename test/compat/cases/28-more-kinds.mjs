export const title =
  'kinds with a treatment of their own come back, also under another name: tokens, quotas, sets, ingresses, endpoints, classes';
export const namespaces = ['c28', 'c28-new'];

const tpl =
  'metadata: {labels: {app: x}}, spec: {nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1"}]}';
const objects = `apiVersion: v1
kind: ServiceAccount
metadata: {name: runner, namespace: c28}
secrets: [{name: runner-token-abc}, {name: other}]
---
apiVersion: v1
kind: Secret
metadata: {name: runner-manual, namespace: c28, annotations: {kubernetes.io/service-account.name: runner}}
type: kubernetes.io/service-account-token
---
apiVersion: v1
kind: Secret
metadata: {name: docker, namespace: c28}
type: kubernetes.io/dockerconfigjson
data: {.dockerconfigjson: e30=}
---
apiVersion: v1
kind: LimitRange
metadata: {name: limits, namespace: c28}
spec: {limits: [{type: Container, default: {cpu: 100m}}]}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: quota, namespace: c28}
spec: {hard: {pods: "10"}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db, namespace: c28, finalizers: [example.com/kept]}
spec: {replicas: 0, serviceName: db, selector: {matchLabels: {app: x}}, template: {${tpl}}, volumeClaimTemplates: [{metadata: {name: data}, spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}}]}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ds, namespace: c28}
spec: {selector: {matchLabels: {app: ds}}, template: {metadata: {labels: {app: ds}}, spec: {nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1"}]}}}
---
apiVersion: v1
kind: ReplicationController
metadata: {name: rc, namespace: c28}
spec: {replicas: 0, selector: {app: rc}, template: {metadata: {labels: {app: rc}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: in, namespace: c28}
spec: {ingressClassName: none, rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: hpa, namespace: c28}
spec: {maxReplicas: 3, scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}}
---
apiVersion: v1
kind: Endpoints
metadata: {name: manual, namespace: c28}
subsets: [{addresses: [{ip: 192.0.2.1}], ports: [{port: 80}]}]
---
apiVersion: v1
kind: Service
metadata: {name: manual, namespace: c28}
spec: {ports: [{port: 80}]}
---
apiVersion: coordination.k8s.io/v1
kind: Lease
metadata: {name: lease, namespace: c28}
spec: {holderIdentity: me}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: rb, namespace: c28}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: nowhere}
subjects: [{kind: ServiceAccount, name: runner, namespace: c28}, {kind: ServiceAccount, name: x, namespace: elsewhere}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: c28-hook, labels: {c28: "yes"}}
webhooks: [{name: a.example.com, sideEffects: None, admissionReviewVersions: [v1], failurePolicy: Ignore, objectSelector: {matchLabels: {never: ever}}, clientConfig: {url: "https://127.0.0.1:1/x"}}]
---
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: c28-high, labels: {c28: "yes"}}
value: 7
---
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata: {name: c28-class, labels: {c28: "yes"}}
provisioner: example.com/none
---
apiVersion: networking.k8s.io/v1
kind: IngressClass
metadata: {name: c28-ic, labels: {c28: "yes"}}
spec: {controller: example.com/none}
---
apiVersion: node.k8s.io/v1
kind: RuntimeClass
metadata: {name: c28-rc, labels: {c28: "yes"}}
handler: none
---
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: waiting, namespace: c28}
spec: {accessModes: [ReadWriteOnce], storageClassName: c28-class, resources: {requests: {storage: 1Gi}}}
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: c28, labels: {app: p}}
spec: {serviceAccountName: runner, priorityClassName: c28-high, nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1", resources: {limits: {cpu: 1}}}], volumes: [{name: v, persistentVolumeClaim: {claimName: waiting}}]}
---
apiVersion: v1
kind: PodTemplate
metadata: {name: pt, namespace: c28}
template: {metadata: {labels: {app: tpl}}, spec: {containers: [{name: c, image: "none/none:1"}]}}`;
const KINDS =
  'sa,limits,quota,statefulsets,daemonsets,rc,ingresses,hpa,services,leases,rolebindings,pvc,podtemplates,endpoints';
const CLUSTER = 'validatingwebhookconfigurations,priorityclasses,storageclasses,ingressclasses,runtimeclasses';

export async function run({ apply, makeNamespaces, k, kjson, until, backup, restore, dump, wipe, run, KUBECTL }) {
  await makeNamespaces('c28');
  await until('service account', async () => (await k('-n', 'c28', 'get', 'sa', 'default', '-o', 'name')) !== '');
  await k('label', 'ns', 'c28', 'pod-security.kubernetes.io/enforce=privileged', 'team=a');
  // Classes first: the pod is refused without its own.
  const all = objects.split('\n---\n');
  const isClass = (text) => /^kind: \w+Class$/m.test(text);
  for (const text of [...all.filter(isClass), ...all.filter((one) => !isClass(one))]) await apply(text);
  const free = ['patch', 'sts', 'db', '--type=merge', '-p', '{"metadata":{"finalizers":null}}'];
  const removed = async () => {
    for (const namespace of namespaces) await run(KUBECTL, ['-n', namespace, ...free], { check: false });
    await wipe(...namespaces);
    await k('delete', CLUSTER, '-l', 'c28=yes');
  };
  const state = async (namespace) => {
    const found = await dump(namespace, KINDS);
    // Which provisioner a claim waits for, and when endpoints changed, is written by controllers of the cluster.
    for (const { metadata } of Object.values(found)) {
      delete metadata.annotations?.['volume.kubernetes.io/storage-provisioner'];
      delete metadata.annotations?.['endpoints.kubernetes.io/last-change-trigger-time'];
      if (Object.keys(metadata.annotations ?? {}).length === 0) delete metadata.annotations;
    }
    const { items } = await kjson('-n', namespace, 'get', 'secrets');
    const { metadata, spec } = await kjson('-n', namespace, 'get', 'pod', 'p');
    return {
      found,
      secrets: items.map(({ metadata: { name }, type }) => [name, type]),
      pod: [metadata.labels, spec.priority, spec.priorityClassName, spec.serviceAccountName],
      namespace: await dump(undefined, `ns/${namespace}`),
      cluster: (await k('get', CLUSTER, '-l', 'c28=yes', '-o', 'name')).split('\n').filter(Boolean),
    };
  };
  const b = await backup('c28-b', '--include-namespaces', 'c28');
  const classes = await backup('c28-all', '--selector', 'c28=yes', '--include-cluster-resources=true');
  await removed();
  const r1 = await restore('c28-r1', 'c28-b');
  const a1 = await state('c28');
  await k('-n', 'c28', ...free);
  const r2 = await restore('c28-r2', 'c28-b', '--namespace-mappings', 'c28:c28-new');
  const a2 = await state('c28-new');
  await removed();
  const r3 = await restore('c28-r3', 'c28-all');
  const { items } = await kjson('get', CLUSTER, '-l', 'c28=yes');
  const a3 = items.map((i) => [i.metadata.name, i.metadata.labels, i.value ?? i.provisioner ?? i.handler ?? i.spec]);
  await removed();
  return { b, classes, r1, a1, r2, a2, r3, a3 };
}
