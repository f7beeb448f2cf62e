import { expect, it } from 'vitest';
import { diffLines } from './inspect.ts';
import { backupPlanLines, restorePlanLines } from './plan.ts';
import { verifyLines } from './verify.ts';

it('tells what a backup would hold', () => {
  const lines = backupPlanLines({
    kind: 'Backup',
    validationErrors: [],
    unmatched: [],
    warnings: ['claim shop/data is backed up without its data'],
    namespaces: ['shop', 'billing'],
    resources: [
      { resource: 'pods', kind: 'Pod', count: 12, isEstimate: false },
      { resource: 'configmaps', kind: 'ConfigMap', count: 2400, isEstimate: true },
    ],
    total: 2412,
    leftOut: [
      { reason: 'label velero.io/exclude-from-backup', count: 7, examples: ['shop/secrets/a', 'shop/secrets/b'] },
    ],
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "Would back up ~2 412 items of 2 kinds in 2 namespaces

    RESOURCE     ITEMS
    pods         12
    configmaps   ~2 400

    ○ 7 left out: label velero.io/exclude-from-backup
        shop/secrets/a
        shop/secrets/b
        … and 5 more

    ▲ claim shop/data is backed up without its data

    Nothing was created. Run the command again without --dry-run to do it."
  `);
});

it('tells what a restore would do, and what it cannot', () => {
  const service = (name: string) => ({ resource: 'services', namespace: 'copy', name });
  const lines = restorePlanLines({
    kind: 'Restore',
    validationErrors: [],
    unmatched: [
      {
        field: 'includedNamespaces',
        name: 'shpo',
        message: 'the backup has no namespace "shpo"; did you mean "shop"?',
      },
    ],
    warnings: [],
    backup: 'nightly-1',
    counts: { create: 2, update: 1, exists: 1, fail: 2 },
    items: [
      { ...service('a'), action: 'create' },
      { ...service('b'), action: 'fail', reason: 'port already allocated' },
      { ...service('c'), action: 'fail', reason: 'port already allocated' },
      { resource: 'namespaces', name: 'copy', action: 'create' },
      { resource: 'configmaps', namespace: 'copy', name: 'x', action: 'exists' },
      { resource: 'configmaps', namespace: 'copy', name: 'y', action: 'update' },
    ],
    isCut: false,
    leftOut: [],
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "▲ the backup has no namespace "shpo"; did you mean "shop"?
    Would restore from backup "nightly-1":
      2 to create, 1 to update, 1 already exist, 2 cannot be restored

    NAMESPACE   RESOURCE     CREATE   UPDATE   EXISTS   FAIL
    copy        services     1        0        0        2
    –           namespaces   1        0        0        0
    copy        configmaps   0        1        1        0

    ✕ 2 cannot be restored: port already allocated
        copy/services/b
        copy/services/c

    Nothing was created. Run the command again without --dry-run to do it."
  `);
});

it('tells every reason to refuse', () => {
  const plan = {
    validationErrors: ['location x does not exist', 'ttl: expected a duration'],
    unmatched: [],
    warnings: [],
    leftOut: [],
  };
  const lines = backupPlanLines({ kind: 'Backup', ...plan, namespaces: [], resources: [], total: 0 });
  expect(lines).toEqual(['✕ This would be refused:', '  location x does not exist', '  ttl: expected a duration']);
});

it('tells what differs', () => {
  const lines = diffLines('nightly-1', 'cluster', {
    with: 'cluster',
    added: [{ resource: 'pods', namespace: 'shop', name: 'new' }],
    removed: [{ resource: 'namespaces', name: 'old' }],
    changed: [
      {
        ...{ resource: 'deployments.apps', namespace: 'shop', name: 'web' },
        fields: [
          { path: 'spec.replicas', before: '1', after: '3' },
          { path: 'spec.paused', after: 'true' },
        ],
      },
    ],
    equal: 1200,
    isCut: true,
    counts: { added: 1, removed: 1, changed: 1 },
    problems: ['secrets may not be read'],
  });
  expect(lines.join('\n')).toMatchInlineSnapshot(`
    "From backup/nightly-1 to the cluster: 1 added, 1 removed, 1 changed, 1 200 equal

    + shop/pods/new
    - namespaces/old
    ~ shop/deployments.apps/web
        spec.replicas: 1 → 3
        spec.paused: absent → true
    … and more differences
    ▲ not compared: secrets may not be read"
  `);
  const nothing = { added: [], removed: [], changed: [] };
  const counts = { added: 0, removed: 0, changed: 0 };
  expect(diffLines('a', 'b', { with: 'b', ...nothing, counts, equal: 7, isCut: false, problems: [] })).toEqual([
    'backup/a and backup/b are equal: 7 items',
  ]);
});

it('tells whether a backup is whole', () => {
  expect(
    verifyLines('a', { ok: true, sha256Expected: 'abc', sha256Found: 'abc', entries: 2431, problems: [] }),
  ).toEqual(['✓ backup/a  is intact: 2 431 entries read', '  sha256 matches, abc']);
  expect(
    verifyLines('a', { ok: false, sha256Expected: 'abc', sha256Found: 'def', entries: 3, problems: ['cut short'] }),
  ).toEqual(['✕ backup/a  is damaged: 3 entries read', '  sha256 def, but abc was recorded', '  ✕ cut short']);
});
