import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { objectsAt, textAt } from '../../src/base/index.ts';
import { needsBed } from '../bed/index.ts';
import { FaultCluster } from './fault-cluster.ts';
import type { Passing } from './fault-line.ts';
import { expectNothingLeft, expectWholeBackup, expectWholeRestore } from './outcome.ts';
import { createSample } from './sample-application.ts';
import { IS_CAMPAIGN } from './seeded-random.ts';
import { numberAt, StatusRecord, type Seen } from './status-record.ts';

/** Longer than the limit of a stall; the fault itself is a stretch of time, so the test waits for it. */
const AWAY_MS = IS_CAMPAIGN ? 150_000 : 20_000;
const APP = { includedNamespaces: ['app'] };

const isArchive = (method: string, name: string) => (passing: Passing) =>
  passing.method === method && passing.path.includes(`/${name}.tar.gz`);
const isStalled = ({ object }: Seen): boolean =>
  objectsAt(object, 'status', 'conditions').some(
    (condition) => condition['type'] === 'Stalled' && condition['status'] === 'True',
  );

const bytesAt = ({ seen }: StatusRecord, stage: string): number[] =>
  seen
    .filter(({ progress }) => progress['stage'] === stage)
    .map(({ progress }) => numberAt(progress, 'bytesDone') ?? 0);

const need = needsBed({ clusters: 0, s3: true });
describe.skipIf(need.missing)(need.title('an S3 store in trouble'), () => {
  let cluster: FaultCluster;
  let items: Set<string>;

  beforeAll(async () => {
    cluster = await FaultCluster.start({ cluster: 'pocket', store: 's3' });
    items = await createSample(cluster.kube, 'app', { configMaps: 200, secrets: 20, blobs: 3 });
    await cluster.served();
    await using backup = await StatusRecord.of(cluster.kube, Backup, { name: 'base', spec: APP });
    expect((await backup.ended()).object['status']).toMatchObject({ phase: 'Completed' });
  }, 120_000);

  afterEach(() => {
    cluster.s3!.clear();
    cluster.s3!.mend();
  });

  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  async function backupOf(name: string): Promise<StatusRecord> {
    return await StatusRecord.of(cluster.kube, Backup, { name, spec: APP });
  }

  async function restoreInto(namespace: string): Promise<StatusRecord> {
    const spec = { backupName: 'base', namespaceMapping: { app: namespace } };
    return await StatusRecord.of(cluster.kube, Restore, { name: namespace, spec });
  }

  it(
    `that is away for ${AWAY_MS / 1000} s in an upload and a download delays both and fails neither`,
    { timeout: AWAY_MS + 150_000 },
    async () => {
      const s3 = cluster.s3!;
      const uploading = isArchive('PUT', 'away');
      const downloading = isArchive('GET', 'base');
      const reached = new Set<string>();
      s3.rule((passing) => {
        if (uploading(passing)) reached.add('upload');
        else if (downloading(passing)) reached.add('download');
        else return undefined;
        return { kind: 'hold', where: uploading(passing) ? 'before' : 'middle' };
      });
      await using backup = await backupOf('away');
      await using restore = await restoreInto('away');
      await backup.until('held', () => reached.size === 2, 30_000);
      s3.cut();
      s3.clear();
      await delay(AWAY_MS);
      expect([backup.last?.phase, restore.last?.phase]).toEqual(['InProgress', 'InProgress']);
      for (const record of [backup, restore]) {
        const stalled = await record.until('stalled', isStalled, 30_000);
        const conditions = JSON.stringify(objectsAt(stalled.object, 'status', 'conditions'));
        expect(conditions).toContain(s3.url.replace('http://', ''));
      }
      s3.mend();
      const ends = { backup: await backup.ended(90_000), restore: await restore.ended(90_000) };
      expect([ends.backup, ends.restore].some(isStalled)).toBe(false);
      await expectWholeBackup(cluster.store, 'away', ends.backup, items);
      await expectWholeRestore(cluster.kube, ends.restore, { namespace: 'away', items });
      backup.expectPercentNeverFalls();
      restore.expectPercentNeverFalls();
      await expectNothingLeft(cluster.kube, cluster.store);
    },
  );

  it('that is slow takes its time, and says how far it is', { timeout: 90_000 }, async () => {
    cluster.s3!.bytesPerSecond = 600_000;
    await using backup = await backupOf('slow');
    await expectWholeBackup(cluster.store, 'slow', await backup.ended(), items);
    // Not more of the upload: what a connection on this machine buffers is more than is sent here.
    expect(bytesAt(backup, 'uploading').length).toBeGreaterThan(0);
    await using restore = await restoreInto('slow');
    await expectWholeRestore(cluster.kube, await restore.ended(), { namespace: 'slow', items });
    const downloaded = bytesAt(restore, 'downloading');
    expect(new Set(downloaded).size).toBeGreaterThan(2);
    expect(downloaded).toEqual(downloaded.toSorted((a, b) => a - b));
  });

  it.each([
    ['full', 507, 'XMinioStorageFull', 'XMinioStorageFull'],
    ['read-only', 403, 'AccessDenied', 'AccessDenied'],
  ])(
    'that is %s ends the backup, with the reason, and leaves nothing',
    { timeout: 60_000 },
    async (name, status, code, reason) => {
      const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>no more</Message></Error>`;
      cluster.s3!.rule(({ method }) =>
        method === 'PUT' || method === 'POST'
          ? { kind: 'answer', status, headers: { 'content-type': 'application/xml' }, body }
          : undefined,
      );
      await using backup = await backupOf(`b-${name}`);
      const end = await backup.ended(45_000);
      expect(end.phase).toBe('Failed');
      expect(textAt(end.object, 'status', 'failureReason')).toContain(reason);
      backup.expectPercentNeverFalls();
      await expectNothingLeft(cluster.kube, cluster.store);
      const left: string[] = [];
      for await (const { key } of cluster.store.list(`backups/b-${name}/`)) left.push(key);
      expect(left).toEqual([]);
    },
  );

  it(
    'that cannot be written to lets a restore end, and its condition tells what is missing',
    { timeout: 60_000 },
    async () => {
      const body = '<?xml version="1.0"?><Error><Code>AccessDenied</Code><Message>no</Message></Error>';
      cluster.s3!.rule(({ method }) =>
        method === 'PUT' || method === 'POST'
          ? { kind: 'answer', status: 403, headers: { 'content-type': 'application/xml' }, body }
          : undefined,
      );
      await using restore = await restoreInto('unwritable');
      const end = await restore.ended(45_000);
      await expectWholeRestore(cluster.kube, end, { namespace: 'unwritable', items });
      const conditions = objectsAt(end.object, 'status', 'conditions');
      expect(conditions.find(({ type }) => type === 'ResultsNotStored')).toMatchObject({ status: 'True' });
    },
  );
});
