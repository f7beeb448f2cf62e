import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore, VolumePluginBackup, VolumePluginRestore } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { content, describeTree } from '../../src/edge/volumes/samples.ts';
import { needs, needsBed } from '../bed/index.ts';
import { KOPIA } from '../volumes/kopia-place.ts';
import { createApplication, moversIn } from '../volumes/volume-application.ts';
import { directoryOf } from '../volumes/volume-cluster.ts';
import { FaultCluster } from './fault-cluster.ts';
import { IS_CAMPAIGN } from './seeded-random.ts';
import { StatusRecord } from './status-record.ts';
import { VolumeRecord } from './volume-record.ts';

const MIB = 1024 * 1024;
/** The minute takes a minute. */
const AWAY_MS = IS_CAMPAIGN ? 60_000 : 8_000;
const WITHIN_MS = 240_000;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const needKopia = needs('kopia');
const needS3 = needsBed({ clusters: 0, s3: true });
const need = needKopia.missing ? needKopia : needS3;

describe.skipIf(need.missing)(need.title('S3 that is away while a volume is copied'), { timeout: 400_000 }, () => {
  let cluster: FaultCluster;
  let kube: KubeClient;
  let namespace: string;
  beforeAll(async () => {
    cluster = await FaultCluster.start({
      ...{ cluster: 'pocket', store: 's3' },
      pocketFlags: ['--kopia', KOPIA],
      serverFlags: ['--uploader', 'kopia'],
    });
    ({ kube } = cluster);
    await cluster.served();
    namespace = await createApplication(kube, ['data'], (directory) => {
      for (let file = 0; file < 12; file += 1) writeFileSync(join(directory, `f${file}`), content(4 * MIB, file));
    });
  }, 120_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  /** Cut off when the data is on its way, and there again after a while. */
  const away = async (isOnItsWay: Promise<void>): Promise<void> => {
    await isOnItsWay;
    cluster.s3!.cut();
    await delay(AWAY_MS);
    cluster.s3!.clear();
    cluster.s3!.mend();
  };

  it('comes back, and backup and restore go on', async () => {
    const s3 = cluster.s3!;
    s3.bytesPerSecond = 8 * MIB;
    const uploads = s3.holds(({ method, path }) => method === 'PUT' && path.includes('/kopia/'), 'before', 4);
    await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'away');
    await using backup = await StatusRecord.of(kube, Backup, {
      name: 'away',
      spec: { includedNamespaces: [namespace], defaultVolumesToFsBackup: true },
    });
    await away(uploads);
    const end = await backup.ended(WITHIN_MS);
    expect(end.phase, JSON.stringify([end.object['status'], volumes.last('data')?.object['status']])).toBe('Completed');
    volumes.expectLaws();
    backup.expectPercentNeverFalls();
    expect(await moversIn(kube, namespace)).toEqual([]);

    const reads = s3.holds(({ method, path }) => method === 'GET' && path.includes('/kopia/'), 'before', 6);
    const target = `${namespace}-again`;
    await using restored = new VolumeRecord(kube, VolumePluginRestore, 'away');
    await using restore = await StatusRecord.of(kube, Restore, {
      name: 'away',
      spec: { backupName: 'away', namespaceMapping: { [namespace]: target } },
    });
    await away(reads);
    const back = await restore.ended(WITHIN_MS);
    const told = restored.last('data')?.object;
    expect(back.phase, JSON.stringify([back.object['status'], told])).toBe('Completed');
    expect(textAt(told, 'status', 'phase')).toBe('Completed');
    restored.expectLaws();
    const [one, other] = [await directoryOf(kube, namespace, 'data'), await directoryOf(kube, target, 'data')];
    expect(describeTree(other, KEEPS)).toEqual(describeTree(one, KEEPS));
    expect(await moversIn(kube, target)).toEqual([]);
  });
});
