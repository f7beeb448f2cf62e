import { isAppError } from '../../../../base/index.ts';
import { isListCheaper, type BackupPlan, type FirstPage } from '../../../../core/backup/index.ts';
import { itemId, type ItemKey } from '../../../../core/progress/index.ts';
import { type DiscoveredType, groupResourceOf } from '../../../../core/selection/index.ts';
import { listedOn, parsedObject, type KubeObject, type ListedObject, type Page } from '../../../../edge/kube/index.ts';
import { aheadInOrder } from './ahead.ts';
import { PageReader, type ReaderDeps } from './page-reader.ts';

export interface AdditionalDeps extends ReaderDeps {
  plan: Pick<BackupPlan, 'types'>;
  /** Undefined when it does not exist, or could not be read, which is then reported. */
  get: (key: ItemKey, type: DiscoveredType) => Promise<KubeObject | undefined>;
  /** What was read anyway. */
  known: ReadonlyMap<string, KubeObject>;
}

/** An item that others need, or that it is not there. */
export interface Found {
  key: ItemKey;
  type: DiscoveredType | undefined;
  object: ListedObject | undefined;
}

/** Of items that are read one by one. */
export const GETS_AT_ONCE = 32;
/** From here on it is worth a request to learn whether a list is cheaper. */
const MANY = 32;
const FIRST_ITEMS = 50;

/** Items that others need and no list has given so far. */
export class Additional {
  readonly #deps: AdditionalDeps;
  readonly #keys = new Map<string, ItemKey>();

  constructor(deps: AdditionalDeps) {
    this.#deps = deps;
  }

  /** False if it is needed already. */
  add(id: string, key: ItemKey): boolean {
    if (this.#keys.has(id)) return false;
    this.#keys.set(id, key);
    return true;
  }

  /** False if nobody needs it. */
  delete(id: string): boolean {
    return this.#keys.delete(id);
  }

  /** All of them, kind by kind; what is found may need more, which then comes too. */
  async *found(): AsyncGenerator<Found> {
    for (let next = this.#nextKind(); next !== undefined; next = this.#nextKind()) {
      const { type, keys } = next;
      if (type === undefined) for (const key of keys.values()) yield { key, type, object: undefined };
      else yield* this.#ofKind(type, keys);
    }
  }

  #nextKind(): { type: DiscoveredType | undefined; keys: Map<string, ItemKey> } | undefined {
    const [first] = this.#keys.values();
    if (first === undefined) return undefined;
    const keys = new Map([...this.#keys].filter(([, { groupResource }]) => groupResource === first.groupResource));
    for (const id of keys.keys()) this.#keys.delete(id);
    return { type: this.#deps.plan.types.get(first.groupResource), keys };
  }

  /** Each way leaves the keys that it did not find to the next one. */
  async *#ofKind(type: DiscoveredType, keys: Map<string, ItemKey>): AsyncGenerator<Found> {
    for (const [id, key] of [...keys]) {
      const object = this.#deps.known.get(id);
      if (object === undefined) continue;
      keys.delete(id);
      yield { key, type, object: parsedObject(object) };
    }
    if (keys.size >= MANY) yield* this.#fromList(type, keys);
    const read = (key: ItemKey): Promise<KubeObject | undefined> => this.#deps.get(key, type);
    for await (const [key, object] of aheadInOrder(keys.values(), GETS_AT_ONCE, read)) {
      yield { key, type, object: object && parsedObject(object) };
    }
  }

  /** Goes through a list of the whole kind, as long as that is cheaper than reading the items one by one. */
  async *#fromList(type: DiscoveredType, keys: Map<string, ItemKey>): AsyncGenerator<Found> {
    const reader = new PageReader({ target: { type }, labelSelector: '', firstLimit: FIRST_ITEMS }, this.#deps);
    try {
      let isCheaper = false;
      for (let page = await reader.next(); page !== undefined; page = await reader.next()) {
        using _ = releasing(page);
        isCheaper ||= isListCheaper(factsOf(page), keys.size);
        if (!isCheaper) return;
        if (page.remaining !== 0) reader.readAhead();
        yield* wantedOn(page, type, keys);
      }
    } catch (error) {
      this.#deps.signal.throwIfAborted();
      // Reading them one by one tells what is wrong with each.
      if (!isAppError(error) || isAppError(error, 'unreachable')) throw error;
    } finally {
      await reader.end();
    }
  }
}

function* wantedOn(page: Page, type: DiscoveredType, keys: Map<string, ItemKey>): Generator<Found> {
  const groupResource = groupResourceOf(type);
  for (const object of listedOn(page)) {
    const { namespace, name } = object.metadata;
    const key = namespace === undefined ? { groupResource, name } : { groupResource, namespace, name };
    if (keys.delete(itemId(key))) yield { key, type, object };
  }
}

function factsOf({ items, length = 0, remaining }: Page): FirstPage {
  return { items: items.length, bytes: length, remaining };
}

function releasing(page: Page): Disposable {
  return { [Symbol.dispose]: () => page.release?.() };
}
