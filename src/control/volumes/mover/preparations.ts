/** One mover's turn with a repository. */
export interface RepositoryTurn {
  /** It has to make sure that the repository is there; the others wait until it is. */
  isPreparing: boolean;
  ready(): void;
  /** It ended; before `ready`, the next one has to prepare. */
  end(): void;
}

/** Two that create a repository at the same time could make two in one, so the first one in a process goes alone. */
export class Preparations {
  readonly #known = new Map<string, { isReady: boolean; over: Promise<undefined> }>();

  async turn(repository: string, signal: AbortSignal): Promise<RepositoryTurn> {
    for (;;) {
      signal.throwIfAborted();
      const known = this.#known.get(repository);
      if (known === undefined) return this.#first(repository);
      if (known.isReady) return { isPreparing: false, ready: nothing, end: nothing };
      await Promise.race([known.over, aborted(signal)]);
    }
  }

  /** It is not there after all; one that prepares it again goes on alone. */
  forget(repository: string): void {
    if (this.#known.get(repository)?.isReady === true) this.#known.delete(repository);
  }

  #first(repository: string): RepositoryTurn {
    const { promise: over, resolve } = Promise.withResolvers<undefined>();
    const state = { isReady: false, over };
    this.#known.set(repository, state);
    return {
      isPreparing: true,
      ready: () => {
        state.isReady = true;
        resolve(undefined);
      },
      end: () => {
        if (!state.isReady && this.#known.get(repository) === state) this.#known.delete(repository);
        resolve(undefined);
      },
    };
  }
}

/**
 * The turn of several movers that belong together, such as those for one frozen pod: it is waited for before any of them
 * begins, and from then on they wait for each other and for nobody else. It lasts until all of them have ended, so that
 * one which is tried again need not line up again.
 */
export class SharedTurn {
  readonly #turn: RepositoryTurn;
  readonly #preparations = new Preparations();

  constructor(turn: RepositoryTurn) {
    this.#turn = turn;
  }

  /** For one of them. */
  async turn(signal: AbortSignal): Promise<RepositoryTurn> {
    if (!this.#turn.isPreparing) return this.#turn;
    const own = await this.#preparations.turn('', signal);
    return {
      isPreparing: own.isPreparing,
      ready: () => {
        own.ready();
        this.#turn.ready();
      },
      end: () => {
        own.end();
      },
    };
  }

  /** All of them have ended, or none will begin. */
  end(): void {
    this.#turn.end();
  }
}

const nothing = (): void => undefined;

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    signal.addEventListener(
      'abort',
      () => {
        resolve();
      },
      { once: true },
    );
  });
}
