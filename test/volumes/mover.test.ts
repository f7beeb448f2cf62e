import { afterAll, beforeAll, describe } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { openStore, type Store } from '../../src/edge/store/index.ts';
import { describePlugin } from '../../src/edge/volumes/conformance.ts';
import { RemotePlugin } from '../../src/edge/volumes/index.ts';
import { collect } from '../../src/edge/store/samples.ts';
import { type Bed, bed, needs, needsBed } from '../bed/index.ts';
import { inS3, KOPIA, KopiaPlace, PASSWORD } from './kopia-place.ts';
import { ProcessMovers } from './process-mover.ts';

const needS3 = needsBed({ clusters: 0, s3: true });
const needKopia = needs('kopia');
const both = needKopia.missing ? needKopia : needS3;

describe.skipIf(needS3.missing)(needS3.title('movers as processes, with S3'), { timeout: 120_000 }, () => {
  let b: Bed;
  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
  });
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
  });

  describe.skipIf(both.missing)(both.title('kopia'), () => {
    describePlugin(() => {
      const place = new KopiaPlace();
      const { repository, secrets } = inS3(b.s3!, 'shop');
      const movers = new ProcessMovers({ password: PASSWORD, ...secrets });
      let uses = 0;
      const kopia = () => ({
        uploader: 'kopia' as const,
        repository,
        program: KOPIA,
        scratch: place.directory(`scratch-mover-${(uses += 1)}`),
      });
      const plugin = new RemotePlugin({
        name: 'kopia',
        start: movers.start,
        jobs: {
          snapshot: (request) => ({
            kind: 'snapshot',
            ...kopia(),
            ...request,
            tags: { ...request.tags },
            isPreparing: true,
          }),
          restore: ({ id, path, snapshotID, volumeId, totalBytes, isVerified, isExact, isBroughtUp }) => {
            const what = { id, path, snapshotID, volumeId, totalBytes, isVerified, isExact, isBroughtUp };
            return { kind: 'restore', ...kopia(), ...what };
          },
          delete: ({ snapshotIDs, volumes = [] }) => {
            return { kind: 'delete', id: 'delete', ...kopia(), snapshotIDs: [...snapshotIDs], volumes: [...volumes] };
          },
        },
      });
      return Promise.resolve({
        plugin,
        keeps: { hardLinks: false, anyName: false, directoryTimes: false },
        isIncremental: true,
        stored: async () => (await place.snapshots(repository, secrets)).length,
        close: () => {
          movers[Symbol.dispose]();
          place[Symbol.dispose]();
          return Promise.resolve();
        },
      });
    });
  });

  describe('stream', () => {
    describePlugin(async () => {
      const { endpoint, region, bucket, accessKey, secretKey } = b.s3!;
      const store: Store = await openStore(
        {
          provider: 'aws',
          bucket,
          config: { region, s3Url: endpoint, s3ForcePathStyle: 'true' },
          credentialsIni: `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n`,
        },
        { log: NO_LOG },
      );
      const movers = new ProcessMovers();
      const plugin = new RemotePlugin({
        name: 'stream',
        start: movers.start,
        jobs: {
          snapshot: ({ id, path, isVerified }) => ({ kind: 'snapshot', uploader: 'stream', id, path, isVerified }),
          restore: ({ id, path, totalBytes, isVerified, isExact, isBroughtUp }) => {
            return { kind: 'restore', uploader: 'stream', id, path, totalBytes, isVerified, isExact, isBroughtUp };
          },
        },
        archives: { store, keyOf: (id) => `backups/b/volumes/${id}.tar.zst` },
      });
      return {
        plugin,
        keeps: { hardLinks: true, anyName: true, directoryTimes: true },
        isIncremental: false,
        stored: async () => (await collect(store.list('backups/b/volumes/'))).length,
        close: () => {
          movers[Symbol.dispose]();
          store.close();
          return Promise.resolve();
        },
      };
    });
  });
});
