/** Whole backups on a pocket cluster, for bench/volumes.ts: how long they take, and what the server needs for them. */
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Backup, BackupStorageLocation, NAMESPACE, VolumePluginBackup } from '../src/api/index.ts';
import { textAt, valueAt } from '../src/base/index.ts';
import type { KubeClient } from '../src/edge/kube/index.ts';
import { programPath } from '../test/bed/cache.ts';
import { partNamed } from '../test/bed/parts.ts';
import { eventually } from '../test/eventually.ts';
import { objectOf } from '../test/kube-kinds.ts';
import { createClaim, createUser, directoryOf } from '../test/volumes/volume-cluster.ts';
import { peakMb } from './backup-restore-process.ts';
import { servedPocket } from './served/pocket.ts';
import { makeFiles } from './volumes-files.ts';

const SPACE = 'bench';

export interface BackupFigures {
  plainSeconds: number;
  seconds: number;
  againSeconds: number;
  serverMb: number;
}

/**
 * One volume with kopia, in turns with plain kopia: a first backup, and one of the same files; the best of so many rounds,
 * each in a new repository. What a round has stored goes at its end: memory that a virtual machine has never used costs
 * whoever uses it first as much as the copy itself.
 */
export async function wholeBackup(
  count: number,
  size: number,
  { rounds, plain }: { rounds: number; plain: (volume: string) => Promise<number> },
): Promise<BackupFigures> {
  await using served = await servedPocket({
    kopia: programPath(partNamed('kopia')),
    flags: ['--uploader', 'kopia', '--default-volumes-to-fs-backup'],
  });
  const { kube, pid, stores } = served;
  let volume = '';
  await application(kube, ['data'], (directory) => {
    volume = directory;
    makeFiles(directory, count, size);
    // Else the first to read them shares the disk with their own writing.
    execFileSync('sync');
  });
  let [plainSeconds, seconds, againSeconds] = [Infinity, Infinity, Infinity];
  for (let round = 1; round <= rounds; round += 1) {
    plainSeconds = Math.min(plainSeconds, await plain(volume));
    const storageLocation = await newLocation(kube, `round-${round}`);
    // What the round before has written is not this one's to wait for.
    execFileSync('sync');
    seconds = Math.min(seconds, await backUp(kube, `first-${round}`, { volumes: 1, storageLocation }));
    againSeconds = Math.min(againSeconds, await backUp(kube, `second-${round}`, { volumes: 1, storageLocation }));
    rmSync(join(stores, 'backups', storageLocation), { recursive: true });
  }
  return { plainSeconds, seconds, againSeconds, serverMb: peakMb(pid) };
}

async function newLocation(kube: KubeClient, name: string): Promise<string> {
  const spec = { provider: 'headway.io/fs', objectStorage: { bucket: 'backups', prefix: name } };
  const target = { type: BackupStorageLocation, namespace: 'velero' };
  await kube.create(target, objectOf(BackupStorageLocation, name, { spec }));
  await eventually(
    async () => {
      const phase = textAt(await kube.get({ ...target, name }), 'status', 'phase') ?? '';
      if (phase !== 'Available') throw new Error(`location ${name} is ${phase}`);
    },
    { withinMs: 60_000 },
  );
  return name;
}

export interface CrowdFigures {
  seconds: number;
  serverMb: number;
  /** The most volumes that were in progress at a time. */
  atOnce: number;
}

/** Many volumes in one backup, eight movers at a time. */
export async function manyVolumes(volumes: number, mib: number): Promise<CrowdFigures> {
  await using served = await servedPocket({
    flags: ['--uploader', 'stream', '--default-volumes-to-fs-backup', '--movers', '8', '--movers-per-node', '8'],
  });
  const { kube, pid } = served;
  const claims = Array.from({ length: volumes }, (_, at) => `data-${at}`);
  await application(kube, claims, (directory) => {
    makeFiles(directory, mib, 1024 * 1024);
  });
  let atOnce = 0;
  const looking = setInterval(() => {
    void runningVolumes(kube).then((count) => (atOnce = Math.max(atOnce, count)));
  }, 250);
  try {
    const seconds = await backUp(kube, 'crowd', { volumes });
    return { seconds, serverMb: peakMb(pid), atOnce };
  } finally {
    clearInterval(looking);
  }
}

async function application(
  kube: KubeClient,
  claims: readonly string[],
  fill: (directory: string) => void,
): Promise<void> {
  await kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, SPACE));
  for (const claim of claims) await createClaim(kube, SPACE, claim);
  await createUser(kube, SPACE, { name: 'app', claims });
  for (const claim of claims) fill(await directoryOf(kube, SPACE, claim));
}

/** From the request to the end in the status. */
export async function backUp(
  kube: KubeClient,
  name: string,
  {
    volumes,
    namespace = SPACE,
    storageLocation = 'default',
  }: { volumes: number; namespace?: string; storageLocation?: string },
): Promise<number> {
  const target = { type: Backup, namespace: 'velero' };
  const spec = { includedNamespaces: [namespace], storageLocation };
  const began = performance.now();
  await kube.create(target, objectOf(Backup, name, { spec }));
  const phase = await eventually(
    async () => {
      const found = textAt(await kube.get({ ...target, name }), 'status', 'phase') ?? '';
      if (!/^(Completed|Failed|PartiallyFailed|FailedValidation)$/.test(found)) throw new Error(`it is ${found}`);
      return found;
    },
    { withinMs: 3_600_000 },
  );
  const seconds = (performance.now() - began) / 1000;
  let copied = 0;
  for await (const { items } of kube.list(
    { type: VolumePluginBackup, namespace: 'velero' },
    { labelSelector: `velero.io/backup-name=${name}` },
  )) {
    for (const item of items) if (textAt(item, 'status', 'phase') === 'Completed') copied += 1;
  }
  if (phase !== 'Completed' || copied !== volumes)
    throw new Error(`backup ${name} ended ${phase} with ${copied} volumes`);
  return seconds;
}

async function runningVolumes(kube: KubeClient): Promise<number> {
  let running = 0;
  for await (const { items } of kube.list({ type: VolumePluginBackup, namespace: 'velero' })) {
    for (const item of items) {
      const bytes = valueAt(item, 'status', 'progress', 'bytesDone');
      if (textAt(item, 'status', 'phase') === 'InProgress' && bytes !== undefined) running += 1;
    }
  }
  return running;
}
