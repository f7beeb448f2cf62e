/** On every set that runs: its deferPhase runs and its pods go before a set that somebody deletes is gone. */
export const FINALIZER = 'headway.io/actionset';
