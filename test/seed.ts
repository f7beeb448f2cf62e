import fc from 'fast-check';
import { afterEach } from 'vitest';

declare module 'vitest' {
  interface TaskMeta {
    /** How many inputs its properties were tried with; told in a campaign. */
    cases?: number;
  }
}

/**
 * A landing must not depend on luck: property tests run with one seed. The campaign tries others, and prints the one
 * that fails; HEADWAY_SEED repeats it.
 */
const { HEADWAY_SEED: seed, HEADWAY_CAMPAIGN: campaign } = process.env;
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) });
else if (campaign === undefined) fc.configureGlobal({ seed: 20_261_115 });

if (campaign !== undefined) {
  let cases = 0;
  fc.installGlobalPlugin(() => ({
    onAllRunsComplete: ({ numRuns }) => {
      cases += numRuns;
    },
  }));
  afterEach(({ task }) => {
    if (cases > 0) task.meta.cases = cases;
    cases = 0;
  });
}
