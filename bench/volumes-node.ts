/** A whole backup on a real node with the bed's S3 server, and plain kopia into the same server, for bench/volumes.ts. */
import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { KubeClient } from '../src/edge/kube/index.ts';
import { programPath } from '../test/bed/cache.ts';
import { partNamed } from '../test/bed/parts.ts';
import type { S3Facts } from '../test/bed/state.ts';
import { eventually } from '../test/eventually.ts';
import { FaultCluster } from '../test/faults/fault-cluster.ts';
import { newNamespace } from '../test/kube-kinds.ts';
import { createClaim, createUser, directoryOf } from '../test/volumes/volume-cluster.ts';
import { backUp } from './volumes-backup.ts';
import { makeFiles } from './volumes-files.ts';
import { freshDirectory, measure } from './volumes-run.ts';

const KOPIA = programPath(partNamed('kopia'));

export interface NodeFigures {
  plainSeconds: number;
  wholeSeconds: number;
}

/** The best of so many rounds, each with files, a namespace and repositories of its own. */
export async function nodeBackup(
  place: string,
  { count, size, rounds }: { count: number; size: number; rounds: number },
): Promise<NodeFigures> {
  await using cluster = await FaultCluster.start({
    ...{ cluster: 'kubelet', store: 's3', isStoreDirect: true },
    serverFlags: ['--uploader', 'kopia', '--mover-image', 'headway:dev', '--default-volumes-to-fs-backup'],
  });
  const { kube, bed } = cluster;
  const node = bed!.clusters[0]!.node!;
  await node.load('headway');
  await cluster.served();
  let [plainSeconds, wholeSeconds] = [Infinity, Infinity];
  for (let round = 1; round <= rounds; round += 1) {
    const namespace = await application(kube);
    const volume = join(node.volumes, basename(await directoryOf(kube, namespace, 'data')));
    makeFiles(volume, count, size);
    // Else the first to read them shares the disk with their own writing.
    execFileSync('sync');
    plainSeconds = Math.min(plainSeconds, await plainKopia(place, volume, bed!.s3!, `plain-${round}`));
    wholeSeconds = Math.min(wholeSeconds, await backUp(kube, `node-${round}`, { namespace, volumes: 1 }));
  }
  return { plainSeconds, wholeSeconds };
}

async function application(kube: KubeClient): Promise<string> {
  const namespace = await newNamespace(kube);
  await createClaim(kube, namespace, 'data');
  await eventually(() => createUser(kube, namespace, { name: 'db-0', claims: ['data'] }), { withinMs: 60_000 });
  return namespace;
}

async function plainKopia(place: string, volume: string, s3: S3Facts, bucket: string): Promise<number> {
  // A bucket of its own, because a location refuses folders that it does not know; to this server it is a directory.
  mkdirSync(join(s3.directory, bucket));
  const cache = `--cache-directory=${freshDirectory(join(place, 'cache'))}`;
  const config = [`--config-file=${join(place, 'kopia.config')}`, '--disable-file-logging'];
  const env = {
    ...{ KOPIA_PASSWORD: 'bench', KOPIA_CHECK_FOR_UPDATES: 'false', HOME: place },
    ...{ AWS_ACCESS_KEY_ID: s3.accessKey, AWS_SECRET_ACCESS_KEY: s3.secretKey },
  };
  const where = [`--bucket=${bucket}`, `--region=${s3.region}`];
  const endpoint = [`--endpoint=${new URL(s3.endpoint).host}`, '--disable-tls'];
  const create = [...config, 'repository', 'create', 's3', ...where, ...endpoint, cache];
  await measure({ program: KOPIA, args: create, env });
  const args = [...config, '--no-auto-maintenance', '--progress', '--progress-update-interval=1s'];
  return (await measure({ program: KOPIA, args: [...args, 'snapshot', 'create', volume], env })).seconds;
}
