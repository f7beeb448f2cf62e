import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../base/index.ts';
import { claimAction } from './claim.ts';
import { customResourceAction } from './custom-resource.ts';
import { podAction } from './pod.ts';
import { serviceAccountAction } from './service-account.ts';

describe('a pod', () => {
  it.each<[string, JsonObject, string[]]>([
    ['alone', {}, []],
    ['with a broken spec', { spec: { volumes: 'none' } }, []],
    [
      'with volumes of other kinds',
      { spec: { volumes: [{ emptyDir: {} }, { persistentVolumeClaim: { claimName: '' } }] } },
      [],
    ],
    [
      'with claims and a priority',
      {
        spec: {
          priorityClassName: 'high',
          volumes: [{ persistentVolumeClaim: { claimName: 'a' } }, { persistentVolumeClaim: { claimName: 'b' } }],
        },
      },
      ['priorityclasses.scheduling.k8s.io//high', 'persistentvolumeclaims/shop/a', 'persistentvolumeclaims/shop/b'],
    ],
  ])('%s', (_, object, expected) => {
    const result = podAction.run({ object, key: { groupResource: 'pods', namespace: 'shop', name: 'x' } });
    expect(result.object).toBeUndefined();
    expect(result.additional.map((key) => `${key.groupResource}/${key.namespace ?? ''}/${key.name}`)).toEqual(expected);
  });
});

describe('a claim', () => {
  const key = { groupResource: 'persistentvolumeclaims', namespace: 'shop', name: 'data' };
  const bound = (spec: JsonObject, labels?: Record<string, string>): JsonObject => ({
    metadata: { name: 'data', ...(labels === undefined ? {} : { labels }) },
    spec: { volumeName: 'pv1', ...spec },
    status: { phase: 'Bound' },
  });
  const run = (object: JsonObject) => claimAction('today').run({ object, key });

  it.each<[string, JsonObject]>([
    ['without a volume', { spec: {}, status: { phase: 'Bound' } }],
    ['not bound', { spec: { volumeName: 'pv1', dataSource: {} }, status: { phase: 'Pending' } }],
  ])('%s is left as it is', (_, object) => {
    expect(run(object)).toEqual({ additional: [] });
  });

  it('brings its volume', () => {
    expect(run(bound({})).additional).toEqual([{ groupResource: 'persistentvolumes', name: 'pv1' }]);
  });

  it.each<[string, JsonObject, JsonObject]>([
    ['its sources', { dataSource: { name: 's' }, dataSourceRef: { name: 's' }, x: 1 }, { x: 1 }],
    [
      'its selector, with a class',
      { storageClassName: 'fast', selector: { matchLabels: { a: 'b' } } },
      { storageClassName: 'fast' },
    ],
    ['its selector, with the default class', { selector: { matchLabels: { a: 'b' } } }, {}],
    [
      "only Velero's part of its selector, without a class",
      { storageClassName: '', selector: { matchLabels: { a: 'b', 'velero.io/x': 'y' }, matchExpressions: [] } },
      { storageClassName: '', selector: { matchLabels: { a: 'b' }, matchExpressions: [] } },
    ],
  ])('loses %s', (_, spec, expected) => {
    const object = bound(spec);
    const copy = structuredClone(object);
    expect(run(object).object).toEqual(bound(expected));
    expect(object).toEqual(copy);
  });

  it('loses the labels of other backups and restores', () => {
    const labels = {
      app: 'x',
      'velero.io/restore-name': 'r',
      'velero.io/volume-snapshot-name': 'v',
      'velero.io/backup-name': 'yesterday',
    };
    expect(run(bound({}, labels)).object).toEqual(bound({}, { app: 'x' }));
    expect(run(bound({}, { 'velero.io/backup-name': 'today' })).object).toEqual(
      bound({}, { 'velero.io/backup-name': 'today' }),
    );
  });
});

describe('a service account', () => {
  const binding = (name: string, role: string, ...subjects: JsonObject[]): JsonObject => ({
    metadata: { name },
    roleRef: { name: role },
    subjects,
  });
  const account = (namespace: string, name: string): JsonObject => ({ kind: 'ServiceAccount', namespace, name });
  const action = serviceAccountAction([
    binding('b2', 'view', account('shop', 'runner'), account('other', 'runner')),
    binding('b1', 'view', account('shop', 'runner')),
    binding('b3', 'edit', { kind: 'User', namespace: 'shop', name: 'runner' }),
    binding('b4', 'edit', account('other', 'runner')),
  ]);
  it('brings the rights it has in the cluster, each once', () => {
    const { additional } = action.run({
      object: {},
      key: { groupResource: 'serviceaccounts', namespace: 'shop', name: 'runner' },
    });
    expect(additional.map(({ groupResource, name }) => `${groupResource.split('.')[0] ?? ''}/${name}`)).toEqual([
      ...['clusterrolebindings/b1', 'clusterrolebindings/b2', 'clusterroles/view'],
    ]);
  });
  it('without rights brings nothing', () => {
    expect(
      action.run({ object: {}, key: { groupResource: 'serviceaccounts', namespace: 'shop', name: 'default' } })
        .additional,
    ).toEqual([]);
  });
});

describe('a custom resource', () => {
  const action = customResourceAction(new Set(['carts.shop.example.com']));
  it('brings its definition', () => {
    expect(
      action.run({ object: {}, key: { groupResource: 'carts.shop.example.com', namespace: 'shop', name: 'x' } })
        .additional,
    ).toEqual([{ groupResource: 'customresourcedefinitions.apiextensions.k8s.io', name: 'carts.shop.example.com' }]);
  });
  it('is not a built-in one', () => {
    expect(['pods', 'carts.shop.example.com', 'deployments.apps'].filter((name) => action.appliesTo(name))).toEqual([
      'carts.shop.example.com',
    ]);
  });
});

it('each looks at its own type only', () => {
  const actions = [podAction, claimAction('b'), serviceAccountAction([])];
  const types = ['pods', 'persistentvolumeclaims', 'serviceaccounts', 'pods.metrics.k8s.io'];
  expect(actions.map((action) => types.filter((type) => action.appliesTo(type)))).toEqual([
    ['pods'],
    ['persistentvolumeclaims'],
    ['serviceaccounts'],
  ]);
});
