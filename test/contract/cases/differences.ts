import type { CaseGroup } from '../case.ts';
import { until } from '../eventual.ts';
import { configMap, configMaps, pick, pod, pods } from './objects.ts';

/** Where pocket gives another answer on purpose. Each row of docs/reference/pocket-differences.md is one of these. */
export const differences: CaseGroup = {
  group: 'differences',
  cases: [
    {
      name: 'server-side apply',
      pocketDiffers:
        'Answered with 415: merging by field owner is not built yet. kubectl apply without --server-side works.',
      run: ({ api, namespace }) =>
        api
          .patch(`${configMaps(namespace)}/c1`, 'apply', configMap('c1'), { query: { fieldManager: 'contract' } })
          .then(({ status }) => status),
    },
    {
      name: 'managedFields',
      pocketDiffers: 'Not kept: only server-side apply needs them.',
      run: async ({ api, namespace }) => {
        const answer = await api.post(configMaps(namespace), configMap('c1'));
        return Array.isArray(pick(answer, 'metadata', 'managedFields'));
      },
    },
    {
      name: 'unknown fields of a built-in kind',
      pocketDiffers: 'Kept, with the same warning: what a backup stores must not depend on the version of pocket.',
      run: async ({ api, namespace }) => {
        const answer = await api.post(configMaps(namespace), { ...configMap('c1'), surprise: { deep: true } });
        return { warning: answer.headers.warning, surprise: pick(answer, 'surprise') };
      },
    },
    {
      name: 'a field that stands twice',
      pocketDiffers: 'The last one counts, also when fieldValidation is Strict: the document is read by JSON.parse.',
      run: async ({ api, namespace }) => {
        const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c1"},"data":{"a":"1","a":"2"}}';
        return (await api.post(configMaps(namespace), body, { query: { fieldValidation: 'Strict' } })).status;
      },
    },
    {
      name: 'rules that only a running pod would break',
      pocketDiffers:
        'The rules users meet most are checked, those for what a kubelet or a network does with an object are not.',
      run: async ({ api, namespace }) => {
        const { spec, ...rest } = pod('p1');
        return (await api.post(pods(namespace), { ...rest, spec: { ...spec, securityContext: { runAsUser: -1 } } }))
          .status;
      },
    },
    {
      name: 'a user without rights',
      pocketDiffers: 'RBAC objects are stored and not enforced: whoever has the token is the administrator.',
      run: async ({ api, namespace }) => {
        const answer = await api.post('/apis/authorization.k8s.io/v1/subjectaccessreviews', {
          apiVersion: 'authorization.k8s.io/v1',
          kind: 'SubjectAccessReview',
          spec: { user: 'nobody', resourceAttributes: { namespace, verb: 'delete', resource: 'secrets' } },
        });
        return pick(answer, 'status', 'allowed');
      },
    },
    {
      name: 'protobuf answers',
      pocketDiffers: 'Bodies may be protobuf, answers are always JSON, which every client accepts.',
      run: ({ api, namespace }) =>
        api
          .get(configMaps(namespace), { headers: { accept: 'application/vnd.kubernetes.protobuf,application/json' } })
          .then(({ headers }) => headers.contentType),
    },
    {
      name: 'proxy and resize of pods',
      pocketDiffers: 'Not served: ports are forwarded instead, and a process has no size to change.',
      run: async ({ api }) => {
        const resources = pick(await api.get('/api/v1'), 'resources') as { name: string }[];
        return ['pods/proxy', 'pods/resize'].map((wanted) => resources.some(({ name }) => name === wanted));
      },
    },
    {
      name: 'service account of a pod',
      pocketDiffers: 'No token is mounted into pods: a pocket cluster gives them none.',
      run: async ({ api, namespace }) => {
        const { spec, ...rest } = pod('p1');
        const answer = await api.post(pods(namespace), {
          ...rest,
          spec: { ...spec, automountServiceAccountToken: true },
        });
        return (pick(answer, 'spec', 'volumes') as unknown[] | undefined)?.length ?? 0;
      },
    },
    {
      name: 'CEL rules of a CRD',
      pocketDiffers: 'x-kubernetes-validations are stored and not evaluated.',
      run: async ({ api }) => {
        const group = 'cel.contract.example.com';
        const schema = {
          type: 'object',
          properties: { n: { type: 'integer' } },
          'x-kubernetes-validations': [{ rule: 'self.n < 5' }],
        };
        await api.post('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
          apiVersion: 'apiextensions.k8s.io/v1',
          kind: 'CustomResourceDefinition',
          metadata: { name: `things.${group}` },
          spec: {
            group,
            scope: 'Cluster',
            names: { plural: 'things', kind: 'Thing' },
            versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: schema } }],
          },
        });
        await until(api, `/apis/${group}/v1/things`, ({ status }) => status === 200);
        const thing = { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 't' }, n: 9 };
        return (await api.post(`/apis/${group}/v1/things`, thing)).status;
      },
    },
  ],
};
