import { isAppError, type AppError } from '../../base/index.ts';
import { namespaceOf, type Kind } from '../objects/kinds.ts';
import type { Found } from './find-objects.ts';
import { FollowedKind } from './follow.ts';
import { knownNamespaces } from './known-namespaces.ts';
import type { Scope } from './open-cluster.ts';
import type { Refusal } from './refusals.ts';

export interface FollowKinds {
  kinds: readonly Kind[];
  labelSelector?: string | undefined;
  /** Kinds with which a kind may be found too, besides where it usually is: parts may be where the whole is. */
  alsoWith?: (kind: Kind) => readonly Kind[];
}

/** One kind, wherever it is looked for. */
interface Spread {
  kind: Kind;
  places: FollowedKind[];
}

/** The objects of several kinds in one cluster, kept current. What is missing or may not be listed costs the others nothing. */
export class FollowedKinds {
  readonly #scope: Scope;
  readonly #labelSelector: string | undefined;
  readonly #spreads: readonly Spread[];

  constructor(scope: Scope, { kinds, labelSelector, alsoWith = () => [] }: FollowKinds) {
    this.#scope = scope;
    this.#labelSelector = labelSelector;
    this.#spreads = kinds.map((kind) => {
      const places = new Set([kind, ...alsoWith(kind)].map((each) => namespaceOf(scope, each)));
      const chosen = places.has(undefined) ? [undefined] : [...places];
      const followed = chosen.map((namespace) =>
        this.#follow(kind, namespace, namespace === undefined ? 'throw' : 'wait'),
      );
      return { kind, places: followed };
    });
  }

  get isKnown(): boolean {
    return this.#spreads.every(({ places }) => places.every(({ isKnown }) => isKnown));
  }

  get trouble(): { since: number; error: AppError } | undefined {
    return this.#spreads.flatMap(({ places }) => places).find(({ trouble }) => trouble !== undefined)?.trouble;
  }

  /** The kinds of which nothing could be listed anywhere. */
  get refusals(): Refusal[] {
    return this.#spreads.flatMap(({ kind, places }) => {
      const errors = places.flatMap(({ refusal }) => refusal ?? []);
      // That it is forbidden says more than that it is not there.
      const error = errors.find(({ code }) => code === 'forbidden') ?? errors[0];
      return error !== undefined && errors.length === places.length ? [{ kind, error }] : [];
    });
  }

  *found(): Generator<Found> {
    for (const { kind, places } of this.#spreads) {
      for (const place of places) for (const object of place.objects) yield { kind, object };
    }
  }

  /** Until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#spreads.map((spread) => this.#run(spread, signal)));
  }

  async #run(spread: Spread, signal: AbortSignal): Promise<void> {
    const run = async (): Promise<void> => {
      await Promise.all(spread.places.map((place) => place.run(signal)));
    };
    try {
      await run();
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error, 'forbidden')) throw error;
      // Who may not list it everywhere at once may do so in some namespaces.
      const namespaces = await knownNamespaces(this.#scope);
      spread.places = namespaces.map((namespace) => this.#follow(spread.kind, namespace, 'end'));
      await run();
    }
  }

  #follow(kind: Kind, namespace: string | undefined, whenForbidden: 'wait' | 'throw' | 'end'): FollowedKind {
    return new FollowedKind(this.#scope, { kind, namespace, labelSelector: this.#labelSelector, whenForbidden });
  }
}
