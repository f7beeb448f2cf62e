import { describe, expect, it } from 'vitest';
import { runAction } from '../../../../test/restore-action.ts';
import { isAppError, type JsonObject } from '../../../base/index.ts';
import { admissionWebhookConfigurationAction } from './admission-webhook-configuration.ts';
import { apiServiceAction } from './apiservice.ts';
import { changeStorageClassAction } from './change-storage-class.ts';
import { crdPreserveFieldsAction } from './crd-preserve-fields.ts';
import { BUILT_IN_ACTIONS } from './index.ts';
import { pluginConfig } from './plugin-config.ts';
import { pvcAction } from './pvc.ts';
import { clusterRoleBindingsAction, roleBindingsAction } from './role-bindings.ts';
import { secretAction } from './secret.ts';
import { serviceAccountAction } from './service-account.ts';

describe('bindings', () => {
  it.each([roleBindingsAction, clusterRoleBindingsAction])('$name moves subjects with their namespace', (action) => {
    const subjects = [{ kind: 'ServiceAccount', namespace: 'a' }, { kind: 'User', name: 'u' }, { namespace: 'b' }];
    const { item } = runAction(action, { subjects }, { spec: { namespaceMapping: { a: 'x' } } });
    expect(item['subjects']).toEqual([
      { kind: 'ServiceAccount', namespace: 'x' },
      { kind: 'User', name: 'u' },
      { namespace: 'b' },
    ]);
  });
});

describe('service account', () => {
  const account = (...names: string[]): JsonObject => ({
    metadata: { name: 'sa' },
    secrets: names.map((name) => ({ name })),
  });
  it.each<[string, JsonObject, JsonObject]>([
    ['the generated token goes', account('pull', 'sa-token-x'), account('pull')],
    ['one of them only', account('sa-token-x', 'sa-token-y'), account('sa-token-x')],
    ['tokens of others stay', account('other-token-x'), account('other-token-x')],
    ['no empty list stays', account('sa-token-x'), { metadata: { name: 'sa' } }],
  ])('%s', (_, before, after) => {
    expect(runAction(serviceAccountAction, before).item).toEqual(after);
  });
});

describe('secret', () => {
  const token = (name: string): JsonObject => ({
    type: 'kubernetes.io/service-account-token',
    metadata: {
      name,
      annotations: { 'kubernetes.io/service-account.name': 'sa', 'kubernetes.io/service-account.uid': 'u' },
    },
    data: { token: 't', 'ca.crt': 'c', namespace: 'n', extra: 'e' },
  });

  it('is left alone unless it is a token', () => {
    const secret = { type: 'Opaque', metadata: { name: 'sa-token-bcdfg' }, data: { token: 't' } };
    expect(runAction(secretAction, secret)).toEqual({ item: secret, additionalItems: [], warnings: [] });
  });

  it('is skipped when the cluster generated it', () => {
    for (const name of ['sa-token-bcdf2', 'sa-token-abc12']) {
      expect(runAction(secretAction, token(name)).skip).toMatch(/creates the tokens of service accounts itself/);
    }
  });

  it.each(['mine', 'sa-token-of-mine', 'sa-token-prod'])('%s, made by a user, is emptied', (name) => {
    const { item, skip } = runAction(secretAction, token(name));
    expect(skip).toBeUndefined();
    expect(item['data']).toEqual({ namespace: 'n', extra: 'e' });
    expect(item['metadata']).toEqual({ name, annotations: { 'kubernetes.io/service-account.name': 'sa' } });
  });
});

describe('claim', () => {
  const claim = (annotations: JsonObject, status: JsonObject = {}): JsonObject => ({
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c', annotations: { keep: 'x', ...annotations } },
    spec: { volumeName: 'v' },
    status,
  });
  const annotations = (result: { item: JsonObject }) => (result.item['metadata'] as JsonObject)['annotations'];

  it('forgets what the old controllers noted, and brings its volume if it was bound', () => {
    const before = claim({
      'pv.kubernetes.io/bind-completed': 'yes',
      'volume.kubernetes.io/storage-provisioner': 'p',
      'volume.kubernetes.io/selected-node': 'n',
    });
    const { status: _, ...item } = before;
    const bound = runAction(pvcAction, item, { itemFromBackup: { ...before, status: { phase: 'Bound' } } });
    expect(annotations(bound)).toEqual({ keep: 'x' });
    expect(bound.additionalItems).toEqual([{ groupResource: 'persistentvolumes', name: 'v' }]);
    expect(runAction(pvcAction, item, { itemFromBackup: before }).additionalItems).toEqual([]);
  });
});

describe('storage class', () => {
  const config = { storageClasses: { slow: 'fast', odd: 'gone' }, hasStorageClass: (name: string) => name === 'fast' };
  const of = (storageClassName: string): JsonObject => ({
    kind: 'PersistentVolume',
    metadata: { name: 'v' },
    spec: { storageClassName },
  });

  it.each([
    ['slow', 'fast'],
    ['other', 'other'],
    ['', ''],
    ['constructor', 'constructor'],
  ])('"%s" becomes "%s"', (before, after) => {
    expect(runAction(changeStorageClassAction, of(before), { config }).item).toEqual(of(after));
  });

  it('is changed in the templates of a stateful set', () => {
    const set = (name: string): JsonObject => ({
      kind: 'StatefulSet',
      spec: { volumeClaimTemplates: [{ spec: { storageClassName: name } }] },
    });
    expect(runAction(changeStorageClassAction, set('slow'), { config }).item).toEqual(set('fast'));
  });

  it('must exist', () => {
    let error: unknown;
    try {
      runAction(changeStorageClassAction, of('odd'), { config });
    } catch (caught) {
      error = caught;
    }
    expect(isAppError(error, 'invalid')).toBe(true);
    expect(String(error)).toMatch(/PersistentVolume v from odd.*no storage class "gone"/);
  });
});

describe('custom resource definition', () => {
  const crd = (apiVersion: string, preserve: boolean, schema: JsonObject): JsonObject => ({
    apiVersion,
    spec: {
      preserveUnknownFields: preserve,
      versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }, { name: 'v2' }],
    },
  });
  const kept = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  it.each<[string, JsonObject, JsonObject]>([
    [
      'says it in each schema instead',
      crd('apiextensions.k8s.io/v1', true, { type: 'object' }),
      crd('apiextensions.k8s.io/v1', false, kept),
    ],
    [
      'is left alone without the flag',
      crd('apiextensions.k8s.io/v1', false, {}),
      crd('apiextensions.k8s.io/v1', false, {}),
    ],
    [
      'is left alone in the beta version',
      crd('apiextensions.k8s.io/v1beta1', true, {}),
      crd('apiextensions.k8s.io/v1beta1', true, {}),
    ],
  ])('%s', (_, before, after) => {
    expect(runAction(crdPreserveFieldsAction, before).item).toEqual(after);
  });
});

describe('webhooks', () => {
  it.each([
    ['admissionregistration.k8s.io/v1', 'Unknown', 'None'],
    ['admissionregistration.k8s.io/v1', 'NoneOnDryRun', 'NoneOnDryRun'],
    ['admissionregistration.k8s.io/v1beta1', 'Some', 'Some'],
  ])('%s: %s becomes %s', (apiVersion, before, after) => {
    const configuration = (sideEffects: string): JsonObject => ({ apiVersion, webhooks: [{ name: 'w', sideEffects }] });
    expect(runAction(admissionWebhookConfigurationAction, configuration(before)).item).toEqual(configuration(after));
  });
});

describe('API service', () => {
  it('is skipped when the server registers it by itself', () => {
    const labels = { 'kube-aggregator.kubernetes.io/automanaged': 'true' };
    expect(runAction(apiServiceAction, { metadata: { name: 'v1.', labels } }).skip).toBeDefined();
    expect(runAction(apiServiceAction, { metadata: { name: 'v1.metrics' } }).skip).toBeUndefined();
  });
});

describe('settings of an action', () => {
  const map = (name: string, labels: JsonObject): JsonObject => ({ metadata: { name, labels }, data: { a: name } });
  const mine = { 'velero.io/plugin-config': '', 'velero.io/change-image-name': 'RestoreItemAction' };
  it('are in the one ConfigMap labelled for it', () => {
    const others = [
      map('x', { 'velero.io/plugin-config': '' }),
      map('y', { 'velero.io/change-image-name': 'RestoreItemAction' }),
    ];
    expect(pluginConfig([...others, map('z', mine)], 'velero.io/change-image-name')).toEqual({ a: 'z' });
    expect(pluginConfig(others, 'velero.io/change-image-name')).toEqual({});
    expect(() => pluginConfig([map('z', mine), map('a', mine)], 'velero.io/change-image-name')).toThrow(/got a, z/);
    const data = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [String(index), 'a,b']));
    expect(() => pluginConfig([{ ...map('z', mine), data }], 'velero.io/change-image-name')).toThrow(
      /at most 1000, got 1001/,
    );
  });
});

it('runs actions in the order of their names, as Velero does', () => {
  const names = BUILT_IN_ACTIONS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  expect(names).toEqual(names.toSorted());
});
