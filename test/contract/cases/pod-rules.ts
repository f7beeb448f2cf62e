import type { Case, CaseGroup } from '../case.ts';
import { ask, pod, pods } from './objects.ts';

type Fields = Record<string, unknown>;

/** A pod with these fields in its spec, and what is said about it; nothing is stored. */
const spec = (name: string, fields: Fields): Case =>
  ask(name, async ({ api, namespace }) => {
    const { spec: plain, ...rest } = pod('p1');
    const body = { ...rest, spec: { ...plain, ...fields } };
    const answer = await api.post(pods(namespace), body, { query: { dryRun: 'All' } });
    const { message, details } = answer.body as { message?: string; details?: unknown };
    return { status: answer.status, message, details };
  });
const container = (name: string, fields: Fields): Case =>
  spec(name, { containers: [{ name: 'c', image: 'i:1', ...fields }] });
const volume = (name: string, source: Fields): Case => spec(name, { volumes: [{ name: 'v', ...source }] });
const mounted = (name: string, ...mounts: Fields[]): Case =>
  spec(name, {
    volumes: [{ name: 'v', emptyDir: {} }],
    containers: [{ name: 'c', image: 'i:1', volumeMounts: mounts.map((mount) => ({ name: 'v', ...mount })) }],
  });

/** Mistakes in the spec of a pod that people make. */
export const podRules: CaseGroup = {
  group: 'pod-rules',
  cases: [
    container('an environment variable whose name is none', { env: [{ name: 'a b=', value: 'x' }] }),
    container('an environment variable with two values', {
      env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    }),
    container('an environment variable from a field that is none', {
      env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.nope' } } }],
    }),
    container('an environment variable from a secret without a name', {
      env: [{ name: 'A', valueFrom: { secretKeyRef: { name: '', key: '' } } }],
    }),
    container('a probe that does nothing', { livenessProbe: {} }),
    container('a probe that does two things', { livenessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } }),
    container('a probe of port 0', { livenessProbe: { httpGet: { port: 0 } } }),
    container('a liveness that must succeed twice', { livenessProbe: { tcpSocket: { port: 1 }, successThreshold: 2 } }),
    container('a readiness in the past', { readinessProbe: { tcpSocket: { port: 1 }, periodSeconds: -1 } }),
    container('a hook that does nothing', { lifecycle: { preStop: {} } }),
    container('a port with a long name', { ports: [{ containerPort: 80, name: 'far-too-long-for-a-port' }] }),
    container('a port with a name in capitals', { ports: [{ containerPort: 80, name: 'HTTP' }] }),
    container('two ports of one name', {
      ports: [
        { containerPort: 80, name: 'a' },
        { containerPort: 81, name: 'a' },
      ],
    }),
    container('a port of the host that is none', { ports: [{ containerPort: 80, hostPort: 70_000 }] }),
    container('more asked for than allowed', { resources: { limits: { cpu: '1' }, requests: { cpu: '2' } } }),
    container('as much asked for as allowed', { resources: { limits: { cpu: '1' }, requests: { cpu: '1000m' } } }),
    container('a resource that is none', { resources: { limits: { nonsense: '1' } } }),
    container('less than nothing', { resources: { limits: { cpu: '-1' } } }),
    mounted('two mounts in one place', { mountPath: '/a' }, { mountPath: '/a' }),
    mounted('a mount of what is above', { mountPath: '/a', subPath: '../x' }),
    volume('a volume from two sources', { emptyDir: {}, configMap: { name: 'x' } }),
    volume('a volume of a claim without a name', { persistentVolumeClaim: {} }),
    volume('a volume of a config map without a name', { configMap: {} }),
    volume('a volume of a secret without a name', { secret: {} }),
    volume('a volume with a file above it', { configMap: { name: 'a', items: [{ key: 'a', path: '../b' }] } }),
    spec('a node selector that is none', { nodeSelector: { 'a b': 'c d' } }),
    spec('a toleration with an unknown operator', { tolerations: [{ key: 'a', operator: 'Nope' }] }),
    spec('a toleration of a value that does not count', {
      tolerations: [{ key: 'a', operator: 'Exists', value: 'b' }],
    }),
    spec('a toleration of everything, half said', { tolerations: [{ effect: 'NoSchedule' }] }),
    spec('an affinity to no node', {
      affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } },
    }),
    spec('a deadline of no time', { activeDeadlineSeconds: 0 }),
    spec('a host name that is none', { hostname: 'A_B' }),
    spec('no name service at all', { dnsPolicy: 'None' }),
  ],
};
