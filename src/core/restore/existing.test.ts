import { describe, expect, it } from 'vitest';
import { applyMergePatch, type JsonObject } from '../../base/index.ts';
import { decideExisting, isOurs, type ExistingDecision, type ExistingPolicy } from './index.ts';

const names = { restoreName: 'r2', backupName: 'b' };
const OURS = { 'velero.io/backup-name': 'b', 'velero.io/restore-name': 'r2' };
const map = (data: JsonObject, labels: JsonObject = {}): JsonObject => ({
  kind: 'ConfigMap',
  metadata: { name: 'm', namespace: 'n', labels },
  data,
});
const inCluster = (item: JsonObject): JsonObject => ({
  ...item,
  metadata: {
    ...(item.metadata as JsonObject),
    uid: 'u',
    resourceVersion: '7',
    managedFields: [],
    creationTimestamp: 't',
  },
  status: { any: 'thing' },
});
const decide = (
  there: JsonObject,
  wanted: JsonObject,
  policy: ExistingPolicy,
  groupResource = 'configmaps',
): ExistingDecision => decideExisting({ groupResource, inCluster: inCluster(there), wanted, policy, names });

describe('policy none', () => {
  it('skips what is equal, whoever restored it before', () => {
    expect(decide(map({ k: 'v' }), map({ k: 'v' }, OURS), 'none')).toEqual({ kind: 'skip' });
    const before = { ...OURS, 'velero.io/restore-name': 'r1' };
    expect(decide(map({ k: 'v' }, before), map({ k: 'v' }, OURS), 'none')).toEqual({ kind: 'skip' });
  });

  it('warns about what differs, in the words of Velero', () => {
    expect(decide(map({ k: 'new' }), map({ k: 'v' }, OURS), 'none')).toEqual({
      kind: 'warn',
      message:
        'could not restore, ConfigMap:m already exists. Warning: the in-cluster version is different than the backed-up version',
    });
  });
});

describe('policy update', () => {
  it('makes of it what was wanted, and takes away what the backup does not have', () => {
    const there = map({ k: 'new', extra: '1' }, { own: 'x' });
    const wanted = map({ k: 'old' }, { app: 'y', ...OURS });
    const decision = decide(there, wanted, 'update');
    if (decision.kind !== 'patch') throw new Error(decision.kind);
    expect(decision.patch).toEqual({
      metadata: { labels: { own: null, app: 'y', ...OURS } },
      data: { k: 'old', extra: null },
    });
    expect(applyMergePatch(there, decision.patch)).toEqual(wanted);
    expect(decision.labelsOnly).toEqual({ metadata: { labels: OURS } });
  });

  it("never writes the label of a claim's plan, which is a right to remove its files", () => {
    const plan = 'migration.openshift.io/migrated-by-migplan';
    const claim = (labels: JsonObject): JsonObject => ({
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'c', labels },
    });
    for (const [there, wanted] of [
      [{}, { [plan]: 'p' }],
      [{ [plan]: 'q' }, { [plan]: 'p' }],
      [{ [plan]: 'q' }, {}],
    ] as const) {
      const decision = decide(claim(there), claim({ app: 'y', ...wanted }), 'update', 'persistentvolumeclaims');
      if (decision.kind !== 'patch') throw new Error(decision.kind);
      const after = applyMergePatch(claim(there), decision.patch) as { metadata: JsonObject };
      expect(after.metadata['labels']).toEqual({ app: 'y', ...there });
    }
    // Of everything else it is a label like others.
    expect(decide(map({}), map({}, { [plan]: 'p' }), 'update')).toMatchObject({
      patch: { metadata: { labels: { [plan]: 'p' } } },
    });
  });

  it('only renews the labels of what is equal, and nothing if they are right', () => {
    const old = map({ k: 'v' }, { ...OURS, 'velero.io/restore-name': 'r1' });
    expect(decide(old, map({ k: 'v' }, OURS), 'update')).toEqual({
      kind: 'relabel',
      patch: { metadata: { labels: { 'velero.io/restore-name': 'r2' } } },
    });
    expect(decide(map({ k: 'v' }, OURS), map({ k: 'v' }, OURS), 'update')).toEqual({ kind: 'skip' });
  });
});

describe('a claim that is not filled yet', () => {
  const claim = (annotations: JsonObject): JsonObject => ({
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'data', namespace: 'n', labels: OURS, annotations },
  });
  const MARK = 'headway.io/unfilled';
  const decideClaim = (there: JsonObject, wanted: JsonObject): ExistingDecision =>
    decide(there, wanted, 'update', 'persistentvolumeclaims');

  it('keeps its mark, and one that is filled gets none', () => {
    expect(decideClaim(claim({ note: 'x', [MARK]: 'r1' }), claim({ note: 'x', [MARK]: 'r2' }))).toEqual({
      kind: 'skip',
    });
    expect(decideClaim(claim({ note: 'x' }), claim({ note: 'x', [MARK]: 'r2' }))).toEqual({ kind: 'skip' });
    const decision = decideClaim(claim({ note: 'old', [MARK]: 'r1' }), claim({ note: 'x' }));
    expect(decision).toMatchObject({ kind: 'patch', patch: { metadata: { annotations: { note: 'x' } } } });
    expect(JSON.stringify(decision)).not.toContain(MARK);
  });
});

describe('service accounts', () => {
  const account = (more: JsonObject, labels: JsonObject = {}): JsonObject => ({
    kind: 'ServiceAccount',
    metadata: { name: 'default', labels },
    ...more,
  });
  it.each<ExistingPolicy>(['none', 'update'])('are merged, what is there wins (%s)', (policy) => {
    const there = account({ secrets: [{ name: 'a' }] }, { x: 'cluster' });
    const wanted = account(
      { secrets: [{ name: 'b' }, { name: 'a' }], imagePullSecrets: [{ name: 'p' }] },
      { x: 'backup', y: '1', ...OURS },
    );
    expect(decide(there, wanted, policy, 'serviceaccounts')).toEqual({
      kind: 'patch',
      patch: {
        metadata: { labels: { y: '1' } },
        secrets: [{ name: 'a' }, { name: 'b' }],
        imagePullSecrets: [{ name: 'p' }],
      },
      labelsOnly: undefined,
    });
  });

  it.each<ExistingPolicy>(['none', 'update'])('are skipped if there is nothing to add, unlabelled (%s)', (policy) => {
    const more = { secrets: [{ name: 'a' }] };
    expect(decide(account(more), account({}, OURS), policy, 'serviceaccounts')).toEqual({ kind: 'skip' });
    expect(decide(account(more), account(more, OURS), policy, 'serviceaccounts')).toEqual({ kind: 'skip' });
  });
});

describe('ours', () => {
  const restore = { name: 'r2', createdAt: '2026-01-01T10:00:00Z' };
  const made = (name: string, creationTimestamp: string): JsonObject => ({
    metadata: { labels: { 'velero.io/restore-name': name }, creationTimestamp },
  });
  it.each<[string, JsonObject, boolean]>([
    ['what this restore made', made('r2', '2026-01-01T10:00:00Z'), true],
    ['not what another made', made('r1', '2026-01-01T10:00:05Z'), false],
    ['not what one of that name made before', made('r2', '2026-01-01T09:59:59Z'), false],
    ['not what nobody restored', { metadata: { creationTimestamp: '2026-01-01T10:00:05Z' } }, false],
    ['not what has no time', { metadata: { labels: { 'velero.io/restore-name': 'r2' } } }, false],
  ])('%s', (_, item, expected) => {
    expect(isOurs(item, restore)).toBe(expected);
  });
});
