import { parseJson } from '../../../src/base/index.ts';
import type { CaseGroup } from '../case.ts';
import { ask, pick } from './objects.ts';

const scalers = (namespace: string, version: string) =>
  `/apis/autoscaling/${version}/namespaces/${namespace}/horizontalpodautoscalers`;
const scaler = (version: string, spec: Record<string, unknown>) => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'h1', annotations: { own: 'yes' } },
  spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'none' }, maxReplicas: 5, ...spec },
});
const both = (metrics: unknown[], behavior?: unknown) => scaler('v2', { metrics, behavior });
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 60 } },
};
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } };
const queue = {
  type: 'External',
  external: { metric: { name: 'q' }, target: { type: 'AverageValue', averageValue: '30' } },
};
const hits = { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '1k' } } };
const what = ({ body }: { body: unknown }) => ({
  apiVersion: pick({ body }, 'apiVersion'),
  annotations: pick({ body }, 'metadata', 'annotations'),
  spec: pick({ body }, 'spec'),
});

/** Autoscalers in their two versions, of which one is stored. */
export const autoscaler: CaseGroup = {
  group: 'autoscaler',
  cases: [
    ask('create in v1, read in both', async ({ api, namespace }) => {
      const made = await api.post(scalers(namespace, 'v1'), scaler('v1', { targetCPUUtilizationPercentage: 70 }));
      const read = await api.get(`${scalers(namespace, 'v2')}/h1`);
      return [made.status, what(made), what(read), what(await api.get(`${scalers(namespace, 'v1')}/h1`))];
    }),
    ask('create in v1 without a target', async ({ api, namespace }) => {
      await api.post(scalers(namespace, 'v1'), scaler('v1', {}), { query: { dryRun: 'All' } });
      const made = await api.post(scalers(namespace, 'v1'), scaler('v1', {}));
      return [what(made), what(await api.get(`${scalers(namespace, 'v2')}/h1`))];
    }),
    ask('what only v2 can say survives a change in v1', async ({ api, namespace }) => {
      const behavior = { scaleDown: { stabilizationWindowSeconds: 60 } };
      await api.post(scalers(namespace, 'v2'), both([memory, cpu, queue, hits], behavior));
      const patched = await api.patch(`${scalers(namespace, 'v1')}/h1`, 'merge', { spec: { maxReplicas: 9 } });
      const { annotations } = what(patched) as { annotations: Record<string, string> };
      const read = await api.get(`${scalers(namespace, 'v2')}/h1`);
      return [
        Object.keys(annotations).sort(),
        parseJson(annotations['autoscaling.alpha.kubernetes.io/metrics'] ?? ''),
        what(read),
      ];
    }),
    ask('list in v1', async ({ api, namespace }) => {
      await api.post(scalers(namespace, 'v2'), both([cpu]));
      const { body } = await api.get(scalers(namespace, 'v1'));
      const { kind, apiVersion, items } = body as { kind: string; apiVersion: string; items: unknown[] };
      return { kind, apiVersion, items: items.map((item) => pick({ body: item }, 'spec')) };
    }),
    ask('a maximum of nothing in v1', async ({ api, namespace }) =>
      api.post(scalers(namespace, 'v1'), scaler('v1', { maxReplicas: 0 })),
    ),
  ],
};
