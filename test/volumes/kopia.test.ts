import { afterAll, beforeAll, describe } from 'vitest';
import { describePlugin } from '../../src/edge/volumes/conformance.ts';
import { type Bed, bed, needs, needsBed } from '../bed/index.ts';
import { inS3, KopiaPlace } from './kopia-place.ts';

const TIMEOUT = 120_000;
/** As with Velero, which uses the same library. */
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const need = needs('kopia');
const needS3 = needsBed({ clusters: 0, s3: true });
const both = need.missing ? need : needS3;

describe.skipIf(need.missing)(need.title('the plugin kopia in a directory'), { timeout: TIMEOUT }, () => {
  describePlugin(() => {
    const place = new KopiaPlace();
    const repository = place.inDirectory();
    return Promise.resolve({
      plugin: place.plugin(repository, { isPreparing: true }),
      keeps: KEEPS,
      isIncremental: true,
      stored: async () => (await place.snapshots(repository)).length,
      close: () => {
        place[Symbol.dispose]();
        return Promise.resolve();
      },
    });
  });
});

describe.skipIf(both.missing)(both.title('the plugin kopia in S3'), { timeout: TIMEOUT }, () => {
  let b: Bed;
  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
  });
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
  });

  describePlugin(() => {
    const place = new KopiaPlace();
    const { repository, secrets } = inS3(b.s3!, 'shop');
    return Promise.resolve({
      plugin: place.plugin(repository, { isPreparing: true }, secrets),
      keeps: KEEPS,
      isIncremental: true,
      stored: async () => (await place.snapshots(repository, secrets)).length,
      close: () => {
        place[Symbol.dispose]();
        return Promise.resolve();
      },
    });
  });
});
