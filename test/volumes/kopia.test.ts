import { describe } from 'vitest';
import { describePlugin } from '../../src/edge/volumes/conformance.ts';
import { needs } from '../bed/index.ts';
import { KopiaPlace } from './kopia-place.ts';

const TIMEOUT = 120_000;
/** As with Velero, which uses the same library. */
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const need = needs('kopia');

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
