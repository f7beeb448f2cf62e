/** Long work of pure code: it yields wherever whoever runs it may let others have their turn. */
export type Steps<Result> = Generator<undefined, Result, undefined>;
