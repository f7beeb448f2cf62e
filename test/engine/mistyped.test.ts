import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, DeleteBackupRequest, Restore } from '../../src/api/index.ts';
import { textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createControllers } from '../../src/control/controllers/index.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAPS, objectOf } from '../kube-kinds.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeBackup } from './stored-backup.ts';

let cluster: EngineCluster;
let engine: Engine;
beforeAll(async () => {
  cluster = await startCluster();
  await storeBackup(cluster, 'good', [namespace('shop'), configMap('shop', 'm')]);
  engine = await startEngine(cluster, {
    controllers: (deps, caches) => createControllers({ serverStatus: { serverVersion: 'v1' } }, deps, caches),
  });
});
afterAll(async () => {
  await engine.stop();
  await cluster[Symbol.asyncDispose]();
});

const problemsOf = (object: unknown): string =>
  JSON.stringify(valueAt(object as JsonObject, 'status', 'validationErrors'));

describe('a mistyped object', () => {
  it.each<[string, JsonObject, RegExp]>([
    ['slash', { backupName: 'velero/b1' }, /velero\/b1/],
    ['dots', { backupName: '../backups' }, /\.\.\/backups/],
    ['blank', { scheduleName: 'my daily' }, /my daily|schedule/i],
    ['modifier', { backupName: 'good', resourceModifier: { kind: 'ConfigMap', name: '../x' } }, /\.\.\/x/],
    ['policy', { backupName: 'good', resourcePolicy: { kind: 'configmap', name: 'a/b' } }, /a\/b/],
  ])('of kind Restore is refused with its problem named: %s', async (name, spec, problem) => {
    await request(cluster.kube, Restore, name, { spec });
    const restore = await ended(cluster.kube, Restore, name);
    expect(textAt(restore, 'status', 'phase')).toBe('FailedValidation');
    expect(problemsOf(restore)).toMatch(problem);
  });

  it.each<[string, JsonObject, RegExp]>([
    ['location', { storageLocation: '../x' }, /\.\.\/x/],
    ['snapshots', { volumeSnapshotLocations: ['a/b'] }, /a\/b/],
    ['policy', { resourcePolicy: { kind: 'configmap', name: '../x' } }, /\.\.\/x/],
  ])('of kind Backup is refused with its problem named: %s', async (name, spec, problem) => {
    await request(cluster.kube, Backup, name, { spec });
    const backup = await ended(cluster.kube, Backup, name);
    expect(textAt(backup, 'status', 'phase')).toBe('FailedValidation');
    expect(problemsOf(backup)).toMatch(problem);
  });

  it.each([
    ['dots', '../backups'],
    ['slash', 'a/b'],
    ['blanks', 'Not A Name'],
  ])('that asks for a deletion is answered: %s', async (name, backupName) => {
    const target = { type: DeleteBackupRequest, namespace: NAMESPACE };
    const metadata = { name, namespace: NAMESPACE };
    const object = { apiVersion: 'velero.io/v1', kind: 'DeleteBackupRequest', metadata, spec: { backupName } };
    await cluster.kube.create(target, object);
    await eventually(async () => {
      const found = await cluster.kube.get({ ...target, name: metadata.name });
      expect(found['status']).toMatchObject({ phase: 'Processed', errors: [expect.stringContaining('not found')] });
    });
  });

  it('holds up nobody', async () => {
    await request(cluster.kube, Restore, 'mistyped', { spec: { backupName: 'no/such' } });
    await request(cluster.kube, Restore, 'after', { spec: { backupName: 'good' } });
    expect(textAt(await ended(cluster.kube, Restore, 'after'), 'status', 'phase')).toBe('Completed');
  });
});

describe('a backup that cannot be', () => {
  it('is refused with the first of more problems than an object can hold', async () => {
    const rules = Array.from({ length: 3_000 }, (_, at) => `- conditions: {x${at}: 1}\n  action: {type: y}`).join('\n');
    const data = { rules: `version: v1\nvolumePolicies:\n${rules}` };
    await cluster.kube.create({ type: CONFIG_MAPS, namespace: NAMESPACE }, objectOf(CONFIG_MAPS, 'rules', { data }));
    await request(cluster.kube, Backup, 'many', { spec: { resourcePolicy: { kind: 'configmap', name: 'rules' } } });
    const backup = await ended(cluster.kube, Backup, 'many');
    expect(textAt(backup, 'status', 'phase')).toBe('FailedValidation');
    const problems = valueAt(backup, 'status', 'validationErrors') as string[];
    expect(problems.length).toBeLessThan(200);
    expect(problems.at(-1)).toMatch(/^and \d+ more$/);
  });

  it('is refused at once when its name is too long for a directory', async () => {
    const name = 'n'.repeat(240);
    await request(cluster.kube, Backup, name, { spec: { includedNamespaces: ['shop'] } });
    const backup = await ended(cluster.kube, Backup, name);
    expect(textAt(backup, 'status', 'phase')).toBe('FailedValidation');
    expect(valueAt(backup, 'status', 'validationErrors')).toEqual([expect.stringContaining('too long')]);
  });
});
