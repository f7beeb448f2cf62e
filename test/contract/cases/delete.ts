import type { CaseGroup } from '../case.ts';
import { gone, until } from '../eventual.ts';
import { ask, configMap, configMaps, deployment, deployments, pick, pod, pods } from './objects.ts';

const FINALIZER = 'contract.example.com/hold';
const owned = (name: string, owner: { body: unknown }, extra: Record<string, unknown> = {}) => {
  const { name: ownerName, uid } = (owner.body as { metadata: { name: string; uid: string } }).metadata;
  return configMap(name, {
    ownerReferences: [{ apiVersion: 'v1', kind: 'ConfigMap', name: ownerName, uid, ...extra }],
  });
};

/** Deletion: finalizers, preconditions, propagation and garbage collection. */
export const remove: CaseGroup = {
  group: 'delete',
  cases: [
    ask('at once', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      const answer = await api.delete(`${configMaps(namespace)}/c1`);
      return { answer, after: (await api.get(`${configMaps(namespace)}/c1`)).status };
    }),
    ask('missing', ({ api, namespace }) => api.delete(`${configMaps(namespace)}/nope`)),
    ask('with a finalizer', async ({ api, namespace }) => {
      const path = `${configMaps(namespace)}/c1`;
      await api.post(configMaps(namespace), configMap('c1', { finalizers: [FINALIZER] }));
      const first = await api.delete(path);
      const second = await api.delete(path);
      const added = await api.patch(path, 'merge', { metadata: { finalizers: [FINALIZER, 'contract.example.com/b'] } });
      const released = await api.patch(path, 'merge', { metadata: { finalizers: null } });
      return { first, second, added, released, after: (await api.get(path)).status };
    }),
    ask('uid precondition', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.delete(`${configMaps(namespace)}/c1`, {
        body: { preconditions: { uid: '00000000-0000-4000-8000-000000000000' } },
      });
    }),
    ask('resourceVersion precondition', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      const { status, body } = await api.delete(`${configMaps(namespace)}/c1`, {
        body: { preconditions: { resourceVersion: '1' } },
      });
      const message = String((body as { message?: string }).message).replaceAll(/\(\d+\)/g, '(N)');
      return { status, message };
    }),
    ask('dry run', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      const dry = await api.delete(`${configMaps(namespace)}/c1`, { query: { dryRun: 'All' } });
      return { dry, after: (await api.get(`${configMaps(namespace)}/c1`)).status };
    }),
    ask('bad propagation policy', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.delete(`${configMaps(namespace)}/c1`, { body: { propagationPolicy: 'Sideways' } });
    }),
    ask('a pod that was never scheduled goes at once', async ({ api, namespace }) => {
      await api.post(pods(namespace), pod('p1'));
      const answer = await api.delete(`${pods(namespace)}/p1`);
      return {
        status: answer.status,
        kind: pick(answer, 'kind'),
        grace: pick(answer, 'metadata', 'deletionGracePeriodSeconds'),
        after: (await api.get(`${pods(namespace)}/p1`)).status,
      };
    }),
    ask('a collection', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1', { labels: { go: 'yes' } }));
      await api.post(configMaps(namespace), configMap('c2', { labels: { go: 'no' } }));
      const answer = await api.delete(configMaps(namespace), { query: { labelSelector: 'go=yes' } });
      return {
        answer,
        c1: (await api.get(`${configMaps(namespace)}/c1`)).status,
        c2: (await api.get(`${configMaps(namespace)}/c2`)).status,
      };
    }),
    ask('background collects dependents', async ({ api, namespace }) => {
      const owner = await api.post(configMaps(namespace), configMap('owner'));
      await api.post(configMaps(namespace), owned('child', owner));
      const answer = await api.delete(`${configMaps(namespace)}/owner`, { body: { propagationPolicy: 'Background' } });
      return { answer, child: await gone(api, `${configMaps(namespace)}/child`) };
    }),
    ask('an owner that never was', async ({ api, namespace }) => {
      const ghost = { body: { metadata: { name: 'ghost', uid: '00000000-0000-4000-8000-000000000000' } } };
      await api.post(configMaps(namespace), owned('child', ghost));
      return gone(api, `${configMaps(namespace)}/child`);
    }),
    ask('foreground waits for dependents', async ({ api, namespace }) => {
      const owner = await api.post(configMaps(namespace), configMap('owner'));
      const child = owned('child', owner, { blockOwnerDeletion: true });
      await api.post(configMaps(namespace), { ...child, metadata: { ...child.metadata, finalizers: [FINALIZER] } });
      const answer = await api.delete(`${configMaps(namespace)}/owner`, { body: { propagationPolicy: 'Foreground' } });
      await until(
        api,
        `${configMaps(namespace)}/child`,
        (seen) => pick(seen, 'metadata', 'deletionTimestamp') !== undefined,
      );
      const held = await api.get(`${configMaps(namespace)}/owner`);
      await api.patch(`${configMaps(namespace)}/child`, 'merge', { metadata: { finalizers: null } });
      return {
        answer,
        held: pick(held, 'metadata', 'finalizers'),
        owner: await gone(api, `${configMaps(namespace)}/owner`),
      };
    }),
    ask('orphan keeps dependents', async ({ api, namespace }) => {
      const owner = await api.post(configMaps(namespace), configMap('owner'));
      await api.post(configMaps(namespace), owned('child', owner));
      const answer = await api.delete(`${configMaps(namespace)}/owner`, { body: { propagationPolicy: 'Orphan' } });
      await gone(api, `${configMaps(namespace)}/owner`);
      const child = await api.get(`${configMaps(namespace)}/child`);
      return { status: answer.status, child: child.status, references: pick(child, 'metadata', 'ownerReferences') };
    }),
    ask('a deployment takes its replica sets along', async ({ api, namespace }) => {
      const sets = `/apis/apps/v1/namespaces/${namespace}/replicasets`;
      await api.post(deployments(namespace), deployment('d1', 0));
      await until(api, sets, (seen) => (pick(seen, 'items') as unknown[]).length === 1);
      await api.delete(`${deployments(namespace)}/d1`, { body: { propagationPolicy: 'Background' } });
      const after = await until(api, sets, (seen) => (pick(seen, 'items') as unknown[]).length === 0);
      return pick(after, 'items');
    }),
    ask('a namespace takes everything along', async ({ api, namespace }) => {
      const name = `${namespace}-x`.slice(0, 60);
      await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
      await api.post(configMaps(name), configMap('held', { finalizers: [FINALIZER] }));
      await api.post(configMaps(name), configMap('free'));
      const answer = await api.delete(`/api/v1/namespaces/${name}`);
      const free = await gone(api, `${configMaps(name)}/free`);
      const late = await api.post(configMaps(name), configMap('late'));
      const terminating = await api.get(`/api/v1/namespaces/${name}`);
      await api.patch(`${configMaps(name)}/held`, 'merge', { metadata: { finalizers: null } });
      return {
        status: answer.status,
        phase: pick(answer, 'status', 'phase'),
        free,
        late,
        spec: pick(terminating, 'spec'),
        after: await gone(api, `/api/v1/namespaces/${name}`),
      };
    }),
  ],
};
