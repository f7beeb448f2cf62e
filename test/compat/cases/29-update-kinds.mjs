export const title =
  'existing-resource-policy, kind by kind, also cluster-scoped ones, a service account and the namespace itself';
export const namespaces = ['c29'];

const objects = `apiVersion: v1
kind: Namespace
metadata: {name: c29, labels: {team: old}, annotations: {note: old}}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np, namespace: c29}
spec: {podSelector: {matchLabels: {a: b}}, policyTypes: [Ingress]}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: cj, namespace: c29}
spec: {schedule: "0 3 * * *", suspend: true, jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: c, image: "none/none:1"}]}}}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: job, namespace: c29, labels: {v: old}}
spec: {suspend: true, template: {spec: {restartPolicy: Never, containers: [{name: c, image: "none/none:1"}]}}}
---
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: sts, namespace: c29}
spec: {replicas: 0, serviceName: s, selector: {matchLabels: {app: s}}, template: {metadata: {labels: {app: s}}, spec: {containers: [{name: c, image: "none/none:1"}]}}}
---
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: ds, namespace: c29}
spec: {selector: {matchLabels: {app: ds}}, template: {metadata: {labels: {app: ds}}, spec: {nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1"}]}}}
---
apiVersion: v1
kind: ResourceQuota
metadata: {name: q, namespace: c29}
spec: {hard: {pods: "10"}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: l, namespace: c29}
spec: {limits: [{type: Container, max: {cpu: "4"}}]}
---
apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: in, namespace: c29}
spec: {rules: [{host: a.example.com, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: s, port: {number: 80}}}}]}}]}
---
apiVersion: v1
kind: Service
metadata: {name: typed, namespace: c29}
spec: {type: NodePort, selector: {app: x}, ports: [{name: http, port: 80}]}
---
apiVersion: v1
kind: Secret
metadata: {name: typed, namespace: c29}
type: example.com/a
stringData: {k: v}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: noted, namespace: c29, annotations: {a: "1"}}
data: {k: v}
---
apiVersion: v1
kind: ServiceAccount
metadata: {name: sa, namespace: c29, annotations: {a: old}}
secrets: [{name: s-old}]
automountServiceAccountToken: false
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: c29-role, labels: {c29: "yes"}}
rules: [{apiGroups: [""], resources: [nodes], verbs: [get]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: c29-role, labels: {c29: "yes"}}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: c29-role}
subjects: [{kind: ServiceAccount, name: sa, namespace: c29}]
---
apiVersion: v1
kind: Pod
metadata: {name: p, namespace: c29, labels: {v: old}}
spec: {nodeSelector: {none: such}, containers: [{name: c, image: "none/none:1"}]}`;
const KINDS = 'networkpolicies,cronjobs,jobs,statefulsets,daemonsets,quota,limits,ingresses,services,secrets,cm,sa';
const image = (name) => ({ spec: { containers: [{ name: 'c', image: name }] } });
/** What happens to them after the backup. */
const CHANGES = [
  ['netpol', 'np', { spec: { podSelector: { matchLabels: { a: 'c', d: 'e' } } } }],
  ['cronjob', 'cj', { spec: { schedule: '0 4 * * *', startingDeadlineSeconds: 9 } }],
  ['job', 'job', { metadata: { labels: { v: 'new', x: '1' } }, spec: { parallelism: 2 } }],
  ['sts', 'sts', { spec: { minReadySeconds: 4, template: image('none/none:2') } }],
  ['ds', 'ds', { spec: { minReadySeconds: 4, template: { metadata: { labels: { more: 'x' } } } } }],
  ['quota', 'q', { spec: { hard: { pods: '11', services: '3' } } }],
  ['limits', 'l', { spec: { limits: [{ type: 'Pod', max: { cpu: '5' } }] } }],
  ['ingress', 'in', { spec: { rules: [{ host: 'b.example.com' }] } }],
  ['service', 'typed', { spec: { type: 'ClusterIP', selector: { app: 'y' } } }],
  ['cm', 'noted', { metadata: { annotations: { a: '2', b: '3' } }, binaryData: { x: 'AAA=' } }],
  ['sa', 'sa', { metadata: { annotations: { a: 'new', b: '1' } }, secrets: [{ name: 's-new' }] }],
  ['pod', 'p', { metadata: { labels: { v: 'new', w: '1' } }, spec: { activeDeadlineSeconds: 9999 } }],
];

export async function run({ apply, v, k, kjson, until, backup, restore, dump }) {
  const [namespace, ...rest] = objects.split('\n---\n');
  await apply(namespace);
  await until('service account', async () => (await k('-n', 'c29', 'get', 'sa', 'default', '-o', 'name')) !== '');
  await apply(rest.join('\n---\n'));
  const b = await backup('c29-b', '--include-namespaces', 'c29');
  const patch = async (...args) => await k(...args.slice(0, -1), '--type=merge', '-p', JSON.stringify(args.at(-1)));
  const labels = { team: 'new', extra: '1' };
  await patch('patch', 'ns', 'c29', { metadata: { labels, annotations: { note: 'new' } } });
  for (const [kind, name, change] of CHANGES) await patch('-n', 'c29', 'patch', kind, name, change);
  await patch('patch', 'clusterrole', 'c29-role', {
    rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }],
  });
  await patch('patch', 'clusterrolebinding', 'c29-role', { subjects: [] });
  // The type of a Secret cannot be changed, so an update fails and only its labels follow.
  await k('-n', 'c29', 'delete', 'secret', 'typed');
  const other = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'typed', namespace: 'c29' } };
  await apply(JSON.stringify({ ...other, type: 'example.com/b', stringData: { k: 'w' } }));
  const state = async (name) => ({
    found: await dump('c29', KINDS),
    namespace: await dump(undefined, 'ns/c29'),
    roles: [await dump(undefined, 'clusterroles/c29-role'), await dump(undefined, 'clusterrolebindings/c29-role')],
    pod: (await kjson('-n', 'c29', 'get', 'pod', 'p')).metadata.labels,
    warned: await warnings(v, name),
  });
  const r1 = await restore('c29-r1', 'c29-b');
  const a1 = await state('c29-r1');
  const r2 = await restore('c29-r2', 'c29-b', '--existing-resource-policy', 'update');
  const a2 = await state('c29-r2');
  await k('delete', 'clusterroles,clusterrolebindings', '-l', 'c29=yes');
  return { b, r1, a1, r2, a2 };
}

/** Which objects `describe` warns about, without the words. */
async function warnings(v, name) {
  const { out } = await v('restore', 'describe', name);
  const named = out.split('\n').flatMap((line) => /could not restore, (\S+) already exists/.exec(line)?.[1] ?? []);
  return named.filter((object) => !/kube-root-ca|Endpoint|ReplicaSet|ControllerRevision/.test(object)).sort();
}
