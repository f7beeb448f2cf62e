import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { CONFIG_MAPS, DEPLOYMENTS, NAMESPACES, SECRETS } from '../kube-kinds.ts';
import { E2eCluster } from './e2e-cluster.ts';

const EXCLUDE = { 'velero.io/exclude-from-backup': 'true' };
const CHOSEN = { resourcefiltering: 'true' };
const SPACES = ['e1', 'e2', 'e3', 'e4'];
const container = { name: 'c', image: 'none/none:1' };
const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [container] } };
const deployment = { replicas: 0, selector: { matchLabels: { app: 'x' } }, template };

/** In every namespace a ConfigMap, a Secret and a Deployment; those of e2 have the label, e4 has a map to leave out. */
function application(namespace: string): JsonObject[] {
  const labels = namespace === 'e2' ? CHOSEN : {};
  const object = (apiVersion: string, kind: string, more: JsonObject): JsonObject => ({
    ...{ apiVersion, kind, metadata: { name: 'x', namespace, labels } },
    ...more,
  });
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, annotations: { note: `of ${namespace}` } } },
    object('v1', 'ConfigMap', { data: { k: 'v' } }),
    object('v1', 'Secret', { stringData: { k: 'v' } }),
    object('apps/v1', 'Deployment', { spec: deployment }),
    ...(namespace === 'e4'
      ? [{ ...object('v1', 'ConfigMap', {}), metadata: { name: 'never', namespace, labels: EXCLUDE } }]
      : []),
  ];
}

/** cm, s, d: the ConfigMap, the Secret, the Deployment of that namespace came back. */
const ALL = 'cm s d';
const everywhere = { includedNamespaces: SPACES };
type Case = [title: string, backup: JsonObject, restore: JsonObject, expected: Record<string, string>];
const CASES: Case[] = [
  [
    'MultiNSBackup',
    { excludedNamespaces: ['default', 'kube-*', 'velero', 'to-*'] },
    {},
    { e1: ALL, e2: ALL, e3: ALL, e4: ALL },
  ],
  ['ExcludeFromBackup', { includedNamespaces: ['e4'] }, {}, { e4: ALL }],
  [
    'ExcludeNamespaces Backup',
    { includedNamespaces: ['e*'], excludedNamespaces: ['e1', 'e2'] },
    {},
    { e3: ALL, e4: ALL },
  ],
  ['ExcludeNamespaces Restore', everywhere, { excludedNamespaces: ['e1', 'e2'] }, { e3: ALL, e4: ALL }],
  ['IncludeNamespaces Backup', { includedNamespaces: ['e1', 'e2'] }, {}, { e1: ALL, e2: ALL }],
  ['IncludeNamespaces Restore', everywhere, { includedNamespaces: ['e1', 'e2'] }, { e1: ALL, e2: ALL }],
  ['ExcludeResources Backup', { includedNamespaces: ['e1'], excludedResources: ['secrets'] }, {}, { e1: 'cm d' }],
  ['ExcludeResources Restore', { includedNamespaces: ['e1'] }, { excludedResources: ['secrets'] }, { e1: 'cm d' }],
  [
    'IncludeResources Backup',
    { includedNamespaces: ['e1'], includedResources: ['deployments', 'cm'] },
    {},
    { e1: 'cm d' },
  ],
  [
    'IncludeResources Restore',
    { includedNamespaces: ['e1'] },
    { includedResources: ['deployments', 'cm'] },
    { e1: 'cm d' },
  ],
  [
    'WildcardNamespaces Backup',
    { includedNamespaces: ['e?', 'no-*'], excludedNamespaces: ['e[12]'] },
    {},
    { e3: ALL, e4: ALL },
  ],
  [
    'WildcardNamespaces Restore',
    everywhere,
    { includedNamespaces: ['e[1-2]', 'e3'], excludedNamespaces: ['*1'] },
    { e2: ALL, e3: ALL },
  ],
  ['LabelSelector', { labelSelector: { matchLabels: CHOSEN } }, {}, { e2: ALL }],
];

describe("Velero's end-to-end cases: what is selected", () => {
  let cluster: E2eCluster;
  beforeAll(async () => {
    cluster = await E2eCluster.start();
    await cluster.make(...SPACES.flatMap(application));
  }, 90_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  it.each(CASES)('%s', { timeout: 60_000 }, async (title, backup, restore, expected) => {
    const name = title.toLowerCase().replaceAll(' ', '-');
    const target = (space: string): string => `to-${space}-${name}`;
    expect(await cluster.backup(name, backup)).toMatchObject({ phase: 'Completed', errors: 0 });
    const namespaceMapping = Object.fromEntries(SPACES.map((space) => [space, target(space)]));
    expect(await cluster.restore(name, name, { namespaceMapping, ...restore })).toMatchObject({
      phase: 'Completed',
      errors: 0,
    });
    const found: Record<string, string> = {};
    for (const space of SPACES) {
      const made = await cluster.find(NAMESPACES, target(space));
      if (made === undefined) continue;
      // Resources that are named are all there is: then the namespace itself is not in the backup.
      const isNamed = backup['includedResources'] !== undefined;
      expect(made.metadata.annotations?.['note'], 'NSAnnotation').toBe(isNamed ? undefined : `of ${space}`);
      const has = async (type: typeof SECRETS): Promise<boolean> =>
        (await cluster.find(type, 'x', target(space))) !== undefined;
      const letters = [(await has(CONFIG_MAPS)) && 'cm', (await has(SECRETS)) && 's', (await has(DEPLOYMENTS)) && 'd'];
      found[space] = letters.filter(Boolean).join(' ');
      expect(await cluster.find(CONFIG_MAPS, 'never', target(space))).toBeUndefined();
    }
    expect(found).toEqual(expected);
  });

  it('ResourceModifier', { timeout: 60_000 }, async () => {
    const side = { name: 'side', image: 'none/side:1' };
    const patches = [
      { operation: 'add', path: '/spec/template/spec/containers/0', value: JSON.stringify(side) },
      { operation: 'replace', path: '/spec/replicas', value: '2' },
    ];
    const conditions = { groupResource: 'deployments.apps', resourceNameRegex: '^x$' };
    const rules = { version: 'v1', resourceModifierRules: [{ conditions, patches }] };
    const metadata = { name: 'rules', namespace: 'velero' };
    await cluster.make({ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { rules: JSON.stringify(rules) } });
    await cluster.backup('modified', { includedNamespaces: ['e1'] });
    const resourceModifier = { kind: 'ConfigMap', name: 'rules' };
    const namespaceMapping = { e1: 'to-modified' };
    expect(await cluster.restore('modified', 'modified', { resourceModifier, namespaceMapping })).toMatchObject({
      phase: 'Completed',
    });
    const made = await cluster.kube.get({ type: DEPLOYMENTS, namespace: 'to-modified', name: 'x' });
    const spec = made['spec'] as { replicas: number; template: { spec: { containers: JsonObject[] } } };
    expect(spec.replicas).toBe(2);
    expect(spec.template.spec.containers.map((one) => textAt(one, 'name'))).toEqual(['side', 'c']);
  });
});
