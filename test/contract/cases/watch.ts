import type { CaseGroup, Stage } from '../case.ts';
import { ask, configMap, configMaps, pick } from './objects.ts';

const ONE = { fieldSelector: 'metadata.name=c1' };
const version = (answer: { body: unknown }) => String(pick(answer, 'metadata', 'resourceVersion'));
const now = async ({ api, namespace }: Stage) => version(await api.get(configMaps(namespace)));

/** Watches: order, versions, selectors, bookmarks, the initial list. */
export const watch: CaseGroup = {
  group: 'watch',
  cases: [
    ask('events after a version', async (stage) => {
      const { api, namespace } = stage;
      const from = await now(stage);
      await api.post(configMaps(namespace), configMap('c1'));
      await api.patch(`${configMaps(namespace)}/c1`, 'merge', { data: { a: '2' } });
      await api.delete(`${configMaps(namespace)}/c1`);
      return api.events(3, configMaps(namespace), { ...ONE, resourceVersion: from });
    }),
    ask('without a version begins with what is there', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.events(1, configMaps(namespace), ONE);
    }),
    ask('a selector turns changes into added and deleted', async (stage) => {
      const { api, namespace } = stage;
      const from = await now(stage);
      await api.post(configMaps(namespace), configMap('c1'));
      await api.patch(`${configMaps(namespace)}/c1`, 'merge', { metadata: { labels: { in: 'yes' } } });
      await api.patch(`${configMaps(namespace)}/c1`, 'merge', { data: { a: '2' } });
      await api.patch(`${configMaps(namespace)}/c1`, 'merge', { metadata: { labels: { in: null } } });
      return api.events(3, configMaps(namespace), { labelSelector: 'in=yes', resourceVersion: from });
    }),
    ask('the initial list ends with a bookmark', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.events(2, configMaps(namespace), {
        ...ONE,
        sendInitialEvents: 'true',
        resourceVersionMatch: 'NotOlderThan',
        allowWatchBookmarks: 'true',
      });
    }),
    ask('the initial list wants a match', ({ api, namespace }) =>
      api.get(configMaps(namespace), { query: { watch: 'true', sendInitialEvents: 'true' } }),
    ),
    ask('a version that is long gone', async ({ api, namespace }) => {
      const [event] = (await api.events(1, configMaps(namespace), { resourceVersion: '1' })) as [
        { type: string; object: { code?: number; reason?: string } },
      ];
      return { type: event.type, code: event.object.code, reason: event.object.reason };
    }),
    ask('a version that is no number', ({ api, namespace }) =>
      api.get(configMaps(namespace), { query: { watch: 'true', resourceVersion: 'abc' } }),
    ),
    ask('as partial metadata', async ({ api, namespace }) => {
      await api.post(configMaps(namespace), configMap('c1'));
      return api.events(1, configMaps(namespace), ONE, {
        accept: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1',
      });
    }),
    ask('as a table', async (stage) => {
      const { api, namespace } = stage;
      const from = await now(stage);
      await api.post(configMaps(namespace), configMap('c1'));
      await api.patch(`${configMaps(namespace)}/c1`, 'merge', { data: { b: '2' } });
      const events = (await api.events(
        2,
        configMaps(namespace),
        { ...ONE, resourceVersion: from },
        { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
      )) as {
        type: string;
        object: { kind: string; columnDefinitions: { name: string }[] | null; rows: { cells: unknown[] }[] };
      }[];
      return events.map(({ type, object }) => ({
        type,
        kind: object.kind,
        columns: object.columnDefinitions?.map(({ name }) => name) ?? null,
        rows: object.rows.map(({ cells }) => cells.slice(0, 2)),
      }));
    }),
  ],
};
