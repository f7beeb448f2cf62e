import type { ObjectRef } from '../../base/index.ts';
import type { Outcome } from '../progress/index.ts';
import { resourceList, type ResourceList, type ResultMessage, type Results, resultsOf } from '../selection/index.ts';

export interface RestoredItem extends Pick<ObjectRef, 'apiVersion' | 'kind' | 'namespace' | 'name'> {
  outcome: Outcome;
}

/** `{"v1/Secret": ["shop/login(created)"]}`. A namespace that was there already is not named, as with Velero. */
export function restoredResourceList(items: Iterable<RestoredItem>): ResourceList {
  const listed = [...items].filter(
    ({ apiVersion, kind, outcome }) => !(apiVersion === 'v1' && kind === 'Namespace' && outcome === 'skipped'),
  );
  return resourceList(listed.map((item) => ({ ...item, name: `${item.name}(${item.outcome})` })));
}

/** Where a message about an item belongs. */
export function aboutItem(targetNamespace: string | undefined): ResultMessage['about'] {
  return targetNamespace === undefined ? 'cluster' : { namespace: targetNamespace };
}

/** More would fill the memory and nobody would read them; the counts go on. */
const MAX_MESSAGES = 10_000;

/** Warnings and errors of a restore while it runs. */
export class RestoreMessages {
  readonly #messages: ResultMessage[] = [];
  readonly #counts = { warnings: 0, errors: 0 };

  add(message: ResultMessage): void {
    this.#counts[message.level] += 1;
    // Errors decide how the restore ends, so one of them must not be lost among warnings.
    const kept = this.#messages.length < MAX_MESSAGES || (message.level === 'errors' && this.#replaceWarning());
    if (kept) this.#messages.push(message);
  }

  #replaceWarning(): boolean {
    const at = this.#messages.findLastIndex(({ level }) => level === 'warnings');
    if (at >= 0) this.#messages.splice(at, 1);
    return at >= 0;
  }

  /** Exact, however many there are. */
  counts(): { warnings: number; errors: number } {
    return { ...this.#counts };
  }

  results(): Results {
    const lost = (level: ResultMessage['level']): ResultMessage[] => {
      const missing = this.#counts[level] - this.#messages.filter((message) => message.level === level).length;
      return missing === 0 ? [] : [{ level, about: 'operation', text: `and ${missing} more ${level}` }];
    };
    return resultsOf([...this.#messages, ...lost('warnings'), ...lost('errors')]);
  }
}
