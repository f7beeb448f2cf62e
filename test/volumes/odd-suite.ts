import { afterAll, afterEach, beforeAll } from 'vitest';
import { OddKopia } from './odd-kopia.ts';

/** A cluster that a suite works in, and where its repositories are. */
interface OddPlace {
  cluster: AsyncDisposable;
  bucket: string;
}

/**
 * Gives a suite a kopia that misbehaves, and the cluster that `start` makes with it. What a test made kopia do ends
 * with that test, and everything else with the suite.
 */
export function useOddKopia(start: (odd: OddKopia) => Promise<OddPlace>, withinMs = 60_000): void {
  let odd: OddKopia | undefined;
  let place: OddPlace | undefined;
  beforeAll(async () => {
    odd = new OddKopia(() => {
      if (place === undefined) throw new Error('the cluster has not started, so it has no repositories yet');
      return place.bucket;
    });
    place = await start(odd);
  }, withinMs);
  afterAll(async () => {
    await place?.cluster[Symbol.asyncDispose]();
    odd?.[Symbol.dispose]();
  });
  afterEach(() => {
    odd?.forget();
  });
}
