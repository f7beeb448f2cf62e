/** Long-running pure work. It yields wherever its runner may let other work run. */
export type Steps<Result> = Generator<undefined, Result, undefined>;
