import type { CaseGroup } from '../case.ts';
import { ask, configMap, configMaps, deployment, deployments, pick, pod, pods, service, services } from './objects.ts';

const withStatus = { status: { replicas: 7, observedGeneration: 3 } };

/** Replace and patch: versions, generation, status isolation, patch types. */
export const update: CaseGroup = {
  group: 'update',
  cases: [
    ask('replace without resourceVersion is unconditional', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.put(`${configMaps(namespace)}/c1`, { ...configMap('c1'), data: { b: '2' } });
    }),
    ask('replace of a missing object', ({ api, namespace }) => api.put(`${configMaps(namespace)}/c1`, configMap('c1'))),
    ask('replace with another name', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.put(`${configMaps(namespace)}/c1`, configMap('c2'));
    }),
    ask('a write that changes nothing keeps the version', async ({ api, namespace }) => {
      const before = await api.post(configMaps(namespace), configMap('c1'));
      const after = await api.patch(`${configMaps(namespace)}/c1`, 'merge', { data: { a: '1' } });
      return pick(before, 'metadata', 'resourceVersion') === pick(after, 'metadata', 'resourceVersion');
    }),
    ask('generation moves with the spec only', async ({ api, namespace }) => {
      const path = `${deployments(namespace)}/d1`;
      const first = await api.post(deployments(namespace), {
        ...deployment('d1'),
        spec: { ...deployment('d1').spec, paused: true },
      });
      const labeled = await api.patch(path, 'merge', { metadata: { labels: { b: 'c' } } });
      const scaled = await api.patch(path, 'merge', { spec: { replicas: 0 } });
      return [first, labeled, scaled].map((answer) => pick(answer, 'metadata', 'generation'));
    }),
    ask('the main resource ignores status', async ({ api, namespace }) => {
      await api.post(`/apis/batch/v1/namespaces/${namespace}/jobs`, {
        apiVersion: 'batch/v1',
        kind: 'Job',
        metadata: { name: 'j1' },
        spec: {
          suspend: true,
          template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } },
        },
      });
      const answer = await api.patch(`/apis/batch/v1/namespaces/${namespace}/jobs/j1`, 'merge', {
        status: { succeeded: 5 },
      });
      return { status: answer.status, succeeded: pick(answer, 'status', 'succeeded') };
    }),
    ask('the status subresource ignores the spec', async ({ api, namespace }) => {
      await api.post(pods(namespace), pod('p1'));
      const answer = await api.patch(`${pods(namespace)}/p1/status`, 'merge', {
        metadata: { labels: { new: 'label' } },
        spec: { activeDeadlineSeconds: 5 },
        status: { message: 'from the contract' },
      });
      return {
        status: answer.status,
        message: pick(answer, 'status', 'message'),
        deadline: pick(answer, 'spec', 'activeDeadlineSeconds'),
        labels: pick(answer, 'metadata', 'labels'),
      };
    }),
    ask('status of a kind that has none', ({ api, namespace }) => api.get(`${configMaps(namespace)}/c1/status`)),
    ask('merge patch removes with null', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), { ...configMap('c1'), data: { a: '1', b: '2' } });
      return api.patch(`${configMaps(namespace)}/c1`, 'merge', { data: { a: null, c: '3' } });
    }),
    ask('json patch', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'json', [
        { op: 'test', path: '/data/a', value: '1' },
        { op: 'add', path: '/data/b~1c', value: '2' },
        { op: 'copy', from: '/data/a', path: '/data/d' },
        { op: 'remove', path: '/data/a' },
      ]);
    }),
    ask('json patch whose test fails', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'json', [{ op: 'test', path: '/data/a', value: '9' }]);
    }),
    ask('json patch that removes what is not there', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'json', [{ op: 'remove', path: '/data/zz' }]);
    }),
    ask('strategic patch merges containers by name', async ({ api, namespace }) => {
      await api.post(deployments(namespace), { ...deployment('d1'), spec: { ...deployment('d1').spec, paused: true } });
      const answer = await api.patch(`${deployments(namespace)}/d1`, 'strategic-merge', {
        spec: {
          template: {
            spec: {
              containers: [
                { name: 'side', image: 'side:1' },
                { name: 'c', image: 'c:2' },
              ],
            },
          },
        },
      });
      return pick(answer, 'spec', 'template', 'spec', 'containers');
    }),
    ask('strategic patch deletes by directive', async ({ api, namespace }) => {
      const two = deployment('d1', 0);
      two.spec.template.spec.containers.push({ name: 'side', image: 'side:1' });
      await api.post(deployments(namespace), two);
      const answer = await api.patch(`${deployments(namespace)}/d1`, 'strategic-merge', {
        spec: { template: { spec: { $setElementOrder: undefined, containers: [{ name: 'c', $patch: 'delete' }] } } },
      });
      return pick(answer, 'spec', 'template', 'spec', 'containers');
    }),
    ask('strategic patch with element order', async ({ api, namespace }) => {
      const two = deployment('d1', 0);
      two.spec.template.spec.containers.push({ name: 'side', image: 'side:1' });
      await api.post(deployments(namespace), two);
      const answer = await api.patch(`${deployments(namespace)}/d1`, 'strategic-merge', {
        spec: {
          template: {
            spec: {
              '$setElementOrder/containers': [{ name: 'side' }, { name: 'c' }],
              containers: [{ name: 'c', image: 'c:2' }],
            },
          },
        },
      });
      return pick(answer, 'spec', 'template', 'spec', 'containers');
    }),
    ask('strategic patch of finalizers and owner references', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1', { finalizers: ['a.example.com/x', 'a.example.com/y'] }));
      const answer = await api.patch(`${configMaps(namespace)}/c1`, 'strategic-merge', {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['a.example.com/x'], finalizers: ['a.example.com/z'] },
      });
      return pick(answer, 'metadata', 'finalizers');
    }),
    ask('patch that is not an object', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'merge', '"text"').then(({ status }) => status);
    }),
    ask('patch of a missing object', ({ api, namespace }) =>
      api.patch(`${configMaps(namespace)}/nope`, 'merge', { data: {} }),
    ),
    ask('unknown patch type', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'merge', {}, { headers: { 'content-type': 'text/plain' } });
    }),
    ask('patch with a stale resourceVersion', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'merge', {
        metadata: { resourceVersion: '1' },
        data: { a: '5' },
      });
    }),
    ask('patch with another uid', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.patch(`${configMaps(namespace)}/c1`, 'merge', {
        metadata: { uid: '00000000-0000-4000-8000-000000000000' },
      });
    }),
    ask('immutable fields', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), { ...configMap('c1'), immutable: true });
      await api.post(deployments(namespace), deployment('d1', 0));
      await api.post(services(namespace), service('s1'));
      return [
        await api.patch(`${configMaps(namespace)}/c1`, 'merge', { data: { a: '2' } }),
        await api
          .patch(`${deployments(namespace)}/d1`, 'merge', { spec: { selector: { matchLabels: { app: 'x' } } } })
          .then(({ status, body }) => [status, (body as { reason?: string }).reason]),
        await api
          .patch(`${services(namespace)}/s1`, 'merge', { spec: { clusterIP: '10.0.0.99', clusterIPs: ['10.0.0.99'] } })
          .then(({ status, body }) => [status, (body as { reason?: string }).reason]),
      ];
    }),
    ask('dry run of an update', async ({ api, namespace }) => {
      const before = await api.post(configMaps(namespace), configMap('c1'));
      const dry = await api.patch(
        `${configMaps(namespace)}/c1`,
        'merge',
        { data: { a: '9' } },
        { query: { dryRun: 'All' } },
      );
      return {
        dry: pick(dry, 'data'),
        sameVersion: pick(dry, 'metadata', 'resourceVersion') === pick(before, 'metadata', 'resourceVersion'),
        after: pick(await api.get(`${configMaps(namespace)}/c1`), 'data'),
      };
    }),
    ask('scale subresource', async ({ api, namespace }) => {
      await api.post(deployments(namespace), {
        ...deployment('d1', 0),
        spec: { ...deployment('d1', 0).spec, paused: true },
      });
      const read = await api.get(`${deployments(namespace)}/d1/scale`);
      const patched = await api.patch(`${deployments(namespace)}/d1/scale`, 'merge', { spec: { replicas: 0 } });
      const missing = await api.get(`${deployments(namespace)}/none/scale`);
      return { read, patched, missing };
    }),
    ask('status on a create is dropped', async ({ api, namespace }) => {
      const answer = await api.post(deployments(namespace), { ...deployment('d1', 0), ...withStatus });
      return pick(answer, 'status');
    }),
  ],
};
