import { renameSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import { mayMount, SmallDisk } from '../small-disk.ts';
import { FaultCluster } from './fault-cluster.ts';
import { expectNothingLeft, expectWholeBackup } from './outcome.ts';
import { createSample } from './sample-application.ts';
import { StatusRecord } from './status-record.ts';

const APP = { includedNamespaces: ['app'] };

describe('a store in a directory', () => {
  let cluster: FaultCluster;
  let items: Set<string>;

  beforeAll(async () => {
    cluster = await FaultCluster.start({ cluster: 'pocket', store: 'fs' });
    items = await createSample(cluster.kube, 'app', { configMaps: 50, secrets: 5, blobs: 2 });
    await cluster.served();
    await using backup = await StatusRecord.of(cluster.kube, Backup, { name: 'base', spec: APP });
    expect((await backup.ended()).object['status']).toMatchObject({ phase: 'Completed' });
  }, 120_000);

  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  describe.skipIf(!mayMount())('on a file system of its own', () => {
    /** A small one in the store's place, for as long as the work takes. */
    async function onMount(options: string, work: () => Promise<void>): Promise<void> {
      const directory = cluster.fsDirectory;
      using disk = new SmallDisk(directory, '256k');
      if (options === 'ro') disk.forbidWriting();
      await work();
    }

    it.each([
      ['full', '', 'the disk is full'],
      ['read-only', 'ro', 'read-only'],
    ])('that is %s ends the backup, with the reason', { timeout: 60_000 }, async (name, options, reason) => {
      await onMount(options, async () => {
        await using backup = await StatusRecord.of(cluster.kube, Backup, { name: `b-${name}`, spec: APP });
        const end = await backup.ended(45_000);
        expect(end.phase).toBe('Failed');
        expect(textAt(end.object, 'status', 'failureReason')).toContain(reason);
        await expectNothingLeft(cluster.kube, cluster.store);
      });
    });
  });

  it('that is renamed away ends a restore with the reason, and is whole again when it is back', async () => {
    renameSync(cluster.fsDirectory, `${cluster.fsDirectory}.away`);
    try {
      await using restore = await StatusRecord.of(cluster.kube, Restore, {
        name: 'gone',
        spec: { backupName: 'base', namespaceMapping: { app: 'gone' } },
      });
      const end = await restore.ended(30_000);
      expect(end.phase).toBe('Failed');
      expect(textAt(end.object, 'status', 'failureReason')).toContain('backup base');
    } finally {
      rmSync(cluster.fsDirectory, { recursive: true, force: true });
      renameSync(`${cluster.fsDirectory}.away`, cluster.fsDirectory);
    }
    await using backup = await StatusRecord.of(cluster.kube, Backup, { name: 'after', spec: APP });
    await expectWholeBackup(cluster.store, 'after', await backup.ended(30_000), items);
  }, 90_000);
});
