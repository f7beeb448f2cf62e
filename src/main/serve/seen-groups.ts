import type { Log } from '../../base/index.ts';
import type { WatchedKind } from '../../control/controllers/index.ts';
import { ADAPTERS, GROUPS, type OperationGroup, type SessionGroup } from '../../core/operations/index.ts';

/** What can be seen of each API group in a cluster, told once whenever it changes. */
export class SeenGroups {
  readonly #kinds: readonly WatchedKind[];
  readonly #log: Log;
  readonly #told = new Map<OperationGroup, string>();

  constructor(kinds: readonly WatchedKind[], log: Log) {
    this.#kinds = kinds;
    this.#log = log;
  }

  of(name: OperationGroup): Pick<SessionGroup, 'name' | 'isSeen' | 'missing'> {
    const kinds = this.#operationsOf(name);
    const missing = kinds.filter(({ reflector }) => reflector.absence !== undefined).map(({ type }) => type.kind);
    return { name, isSeen: missing.length < kinds.length, missing };
  }

  /** To be called when every kind has been looked for, and whenever one turns out to be missing or there. */
  tell(): void {
    for (const name of GROUPS) {
      const { isSeen, missing } = this.of(name);
      const told = missing.join(', ');
      if (this.#told.get(name) === told || (told === '' && !this.#told.has(name))) continue;
      this.#told.set(name, told);
      const reason = this.#operationsOf(name).find(({ reflector }) => reflector.absence !== undefined)?.reflector
        .absence;
      if (told === '') this.#log.info('all kinds of the group are seen', { group: name });
      else if (isSeen) this.#log.info('kinds of the group are not seen', { group: name, kinds: missing, reason });
      else this.#log.info('group is off', { group: name, reason });
    }
  }

  #operationsOf(name: OperationGroup): WatchedKind[] {
    return ADAPTERS.filter(({ group }) => group === name).flatMap(({ type }) =>
      this.#kinds.filter((each) => each.type.group === type.group && each.type.plural === type.plural),
    );
  }
}
