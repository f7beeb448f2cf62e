import type { CaseGroup } from '../case.ts';

const configMap = (name: string) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' } });

/** Error bodies: code, reason, message and details are what clients print and decide by. */
export const errors: CaseGroup = {
  group: 'errors',
  cases: [
    { name: 'get missing', run: ({ api, namespace }) => api.get(`/api/v1/namespaces/${namespace}/configmaps/nope`) },
    {
      name: 'get missing in a named group',
      run: ({ api, namespace }) => api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/d1`),
    },
    { name: 'unknown resource', run: ({ api, namespace }) => api.get(`/api/v1/namespaces/${namespace}/nonsenses`) },
    { name: 'unknown group', run: ({ api }) => api.get('/apis/nonsense.example.com/v1/things') },
    {
      name: 'already exists',
      run: async ({ api, namespace }) => {
        await api.post(`/api/v1/namespaces/${namespace}/configmaps`, configMap('c1'));
        return api.post(`/api/v1/namespaces/${namespace}/configmaps`, configMap('c1'));
      },
    },
    {
      name: 'bad name',
      run: ({ api, namespace }) => api.post(`/api/v1/namespaces/${namespace}/configmaps`, configMap('BAD_name')),
    },
    {
      name: 'bad label selector',
      run: ({ api, namespace }) =>
        api.get(`/api/v1/namespaces/${namespace}/configmaps`, { query: { labelSelector: 'a==b=c' } }),
    },
    {
      name: 'bad field selector',
      run: ({ api, namespace }) =>
        api.get(`/api/v1/namespaces/${namespace}/configmaps`, { query: { fieldSelector: 'data.a=1' } }),
    },
    {
      name: 'stale resourceVersion',
      run: async ({ api, namespace }) => {
        const path = `/api/v1/namespaces/${namespace}/configmaps`;
        const { body } = await api.post(path, configMap('c1'));
        await api.patch(`${path}/c1`, 'merge', { data: { a: '2' } });
        return api.put(`${path}/c1`, body);
      },
    },
    {
      name: 'resourceVersion on create',
      run: ({ api, namespace }) =>
        api.post(`/api/v1/namespaces/${namespace}/configmaps`, {
          ...configMap('c1'),
          metadata: { name: 'c1', resourceVersion: '5' },
        }),
    },
    {
      name: 'body that is not JSON',
      run: ({ api, namespace }) => api.post(`/api/v1/namespaces/${namespace}/configmaps`, '{"apiVersion":'),
    },
    {
      name: 'namespace does not exist',
      run: ({ api }) => api.post('/api/v1/namespaces/c-nowhere/configmaps', configMap('c1')),
    },
  ],
};
