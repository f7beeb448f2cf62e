import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { CONFIG_MAP, NAMESPACE, POD, Restore } from '../../src/api/index.ts';
import { objectsAt, textAt, valueAt } from '../../src/base/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import { configMap, namespace, storeBackup, type Stored } from '../engine/stored-backup.ts';
import { conforms } from './conformance.ts';
import type { World } from './world.ts';

const NAMES = ['a', 'b', 'c'];

function pod(): Stored {
  const metadata = { name: 'db', namespace: 'shop', uid: 'old' };
  const spec = { containers: [{ name: 'main', image: 'none' }] };
  return { groupResource: 'pods', object: { apiVersion: 'v1', kind: 'Pod', metadata, spec } };
}

function filesOf(world: World): string[] {
  const folder = join(world.bucket, 'restores', 'one');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

function errorsIn(world: World): string {
  const file = readFileSync(join(world.bucket, 'restores', 'one', 'restore-one-results.gz'));
  return JSON.stringify((JSON.parse(gunzipSync(file).toString()) as { errors: unknown }).errors);
}

/** How often each restored object was created, from the history of the cluster. */
function creations(world: World): number[] {
  const targets = [
    { type: NAMESPACE, name: 'shop' },
    { type: POD, namespace: 'shop', name: 'db' },
    ...NAMES.map((name) => ({ type: CONFIG_MAP, namespace: 'shop', name })),
  ];
  return targets.map((target) => new Set(world.kube.history(target).map(({ metadata }) => metadata.uid)).size);
}

/** A hook whose process died is not run again, and is told as failed: nobody knows what it did. */
const CUT_OFF = 'it may have run when Headway was restarted';

conforms({
  type: Restore,
  controllers: (deps, caches) => createRestoreController({}, deps, caches).parts,
  prepare: async (world) => {
    await storeBackup(world, 'b', [namespace('shop'), ...NAMES.map((name) => configMap('shop', name)), pod()]);
  },
  spec: {
    backupName: 'b',
    hooks: { resources: [{ name: 'warm', postHooks: [{ exec: { command: ['warm'], container: 'main' } }] }] },
  },
  check: (world, { object, isWhole }) => {
    const phase = textAt(object, 'status', 'phase');
    const isCutOff = phase === 'PartiallyFailed' && errorsIn(world).includes(CUT_OFF);
    if (isWhole && !isCutOff) expect(phase, phase === 'PartiallyFailed' ? errorsIn(world) : '').toBe('Completed');
    expect(valueAt(object, 'status', 'execHooks')).toBeUndefined();
    expect(world.kube.ran.filter((command) => command === 'warm db').length).toBeLessThanOrEqual(1);
    if (phase === 'Completed') expect(world.kube.ran).toEqual(['warm db']);
    for (const count of creations(world)) expect(count, 'nothing is restored twice').toBeLessThanOrEqual(1);
    if (!isWhole) return;
    expect(creations(world)).toEqual([1, 1, 1, 1, 1]);
    expect(object['status']).toMatchObject({ progress: { itemsRestored: 5, totalItems: 5, created: 5 } });
    const isStored = !objectsAt(object, 'status', 'conditions').some(({ type }) => type === 'ResultsNotStored');
    if (isStored) expect(filesOf(world)).toHaveLength(6);
  },
  checkDeleted: (world) => {
    expect(filesOf(world)).toEqual([]);
  },
});
