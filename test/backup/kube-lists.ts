import { AppError } from '../../src/base/index.ts';
import type { PlannedList } from '../../src/core/backup/index.ts';
import { type DiscoveredType, groupResourceOf, selectNamespaces } from '../../src/core/selection/index.ts';
import type {
  Kube,
  KubeClient,
  KubeObject,
  ListOptions,
  NamedTarget,
  Page,
  Target,
} from '../../src/edge/kube/index.ts';
import { patienceOf, type PatientCalls } from '../../src/control/operation/index.ts';
import { FakeClock } from '../fake-clock.ts';

/** What the lists of a cluster give, and what was asked for. */
export class KubeLists {
  /** Each page of a list as `plural`, or `plural namespace`, and its limit; each object as `plural name`. */
  readonly pages: { of: string; limit: number }[] = [];
  readonly gets: string[] = [];
  /** Pages that hold memory. */
  held = 0;
  atOnce = 0;
  mostAtOnce = 0;
  readonly #objects = new Map<string, KubeObject[]>();
  /** Lists that the server refuses, by the same names. */
  readonly forbidden = new Set<string>();
  /** Length of one object. */
  objectBytes = 1000;
  isCounting = true;

  add(type: DiscoveredType, ...names: string[]): this {
    const objects = names.map((text): KubeObject => {
      const [name = '', namespace] = text.split('/').toReversed();
      const metadata = namespace === undefined ? { name } : { name, namespace };
      return { apiVersion: 'v1', kind: type.kind, metadata };
    });
    this.#objects.set(type.plural, [...(this.#objects.get(type.plural) ?? []), ...objects]);
    return this;
  }

  get kube(): Kube {
    return {
      list: (target: Target, options?: ListOptions) => this.#list(target, options),
      get: (target: NamedTarget) => this.#get(target),
    } as unknown as Kube;
  }

  async *#list({ type, namespace }: Target, options: ListOptions = {}): AsyncGenerator<Page> {
    const of = namespace === undefined ? type.plural : `${type.plural} ${namespace}`;
    const all = this.#objects.get(type.plural) ?? [];
    const left = all.filter(({ metadata }) => namespace === undefined || metadata.namespace === namespace);
    let { firstLimit: limit = options.limit ?? 500 } = options;
    do {
      this.pages.push({ of, limit });
      await this.#answer();
      if (this.forbidden.has(of)) throw new AppError('forbidden', `${of} is forbidden`);
      const items = left.splice(0, limit);
      const isCounted = left.length === 0 || (this.isCounting && options.labelSelector === undefined);
      this.held += 1;
      let isReleased = false;
      const release = (): void => {
        if (!isReleased) this.held -= 1;
        isReleased = true;
      };
      const length = items.length * this.objectBytes;
      const remaining = isCounted ? { remaining: left.length } : {};
      yield { items, resourceVersion: '1', restarted: false, ...remaining, length, bytes: length, release };
      limit = options.limit ?? 500;
    } while (left.length > 0);
  }

  async #get({ type, name }: NamedTarget): Promise<KubeObject> {
    this.gets.push(`${type.plural} ${name}`);
    await this.#answer();
    const found = this.#objects.get(type.plural)?.find(({ metadata }) => metadata.name === name);
    if (found === undefined) throw new AppError('notFound', `${type.plural} ${name} does not exist`);
    return found;
  }

  async #answer(): Promise<void> {
    this.atOnce += 1;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    await new Promise(setImmediate);
    this.atOnce -= 1;
  }
}

/** Calls that have patience by a clock that nobody turns: what fails for a moment would stand still. */
export function patientCalls(signal: AbortSignal, clock = new FakeClock()): PatientCalls {
  const nothing = { tell: () => undefined, end: () => undefined };
  const kube = { version: () => Promise.resolve('v1.36.3') } as unknown as KubeClient;
  return patienceOf({ wait: () => nothing }, { kube, clock, random: () => 0 }).until(signal);
}

/** As a plan has it; `namespaces` are those that are wanted. */
export function plannedList(type: DiscoveredType, namespaces?: readonly string[], labelSelector = ''): PlannedList {
  return {
    type,
    groupResource: groupResourceOf(type),
    scope: namespaces === undefined ? { kind: 'allNamespaces' } : { kind: 'namespaces', namespaces },
    labelSelectors: [labelSelector],
    isSelectedHere: false,
    isInTurn: true,
    order: [],
  };
}

export function planOf(existing: readonly string[], chosen: readonly string[] = existing) {
  return { namespaces: selectNamespaces({ includedNamespaces: [...chosen] }, existing) };
}
