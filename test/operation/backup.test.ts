import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { objectsAt, textAt } from '../../src/base/index.ts';
import { createBackupController } from '../../src/control/controllers/backup/index.ts';
import { conforms } from './conformance.ts';
import { isThawed, makeApplication, SHOP_ITEMS } from './sample.ts';
import type { World } from './world.ts';

const hook = (command: string) => [{ exec: { command: [command] } }];

function filesOf(world: World): string[] {
  const folder = join(world.bucket, 'backups', 'one');
  return existsSync(folder) ? readdirSync(folder).toSorted() : [];
}

function itemsIn(world: World): string[] {
  const file = readFileSync(join(world.bucket, 'backups', 'one', 'one-resource-list.json.gz'));
  const list = JSON.parse(gunzipSync(file).toString()) as Record<string, string[]>;
  return Object.entries(list)
    .flatMap(([kind, names]) => names.map((name) => `${kind.split('/').at(-1)!} ${name.split('/').at(-1)!}`))
    .toSorted();
}

conforms({
  type: Backup,
  controllers: (deps, caches) => createBackupController({}, deps, caches).parts,
  prepare: makeApplication,
  spec: {
    includedNamespaces: ['shop'],
    hooks: { resources: [{ name: 'quiet', pre: hook('freeze'), post: hook('thaw') }] },
  },
  check: (world, { object, isWhole }) => {
    expect(isThawed(world.kube.ran), world.kube.ran.join()).toBe(true);
    expect(objectsAt(object, 'status', 'openHooks')).toEqual([]);
    expect(object.metadata.finalizers ?? []).toEqual([]);
    const phase = textAt(object, 'status', 'phase');
    if (isWhole) expect(phase).toBe('Completed');
    if (phase === 'Completed') {
      expect(itemsIn(world)).toEqual(SHOP_ITEMS);
      expect(filesOf(world)).toHaveLength(9);
      expect(object['status']).toMatchObject({ progress: { percent: 100, itemsBackedUp: 5, totalItems: 5 } });
    }
    // Nothing that looks like a backup is left of one that failed.
    if (phase === 'Failed') expect(filesOf(world).filter((name) => name !== 'one-logs.gz')).toEqual([]);
  },
  checkDeleted: (world) => {
    expect(isThawed(world.kube.ran), world.kube.ran.join()).toBe(true);
    const files = filesOf(world);
    expect(files.length === 0 || files.includes('velero-backup.json'), files.join()).toBe(true);
  },
});
