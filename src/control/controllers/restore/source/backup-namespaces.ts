import { Backup } from '../../../../api/index.ts';
import { isAppError, isObject, messageOf, textAt, type JsonObject } from '../../../../base/index.ts';
import { backupKeys } from '../../../../edge/store/index.ts';
import { CALL_DEADLINE_MS } from '../../../runtime/objects/index.ts';
import type { ReadDeps } from '../context.ts';
import { readStoredJson } from './stored-json.ts';

/** Of backups that were looked up; more are not restored at the same time. */
const MAX_KEPT = 100;

/** The namespaces that backups have something of, by the list that lies beside each archive. */
export class BackupNamespaces {
  readonly #deps: Pick<ReadDeps, 'kube' | 'namespace' | 'stores' | 'log'>;
  /** By uid, because a name may come again. */
  readonly #known = new Map<string, readonly string[]>();

  constructor(deps: Pick<ReadDeps, 'kube' | 'namespace' | 'stores' | 'log'>) {
    this.#deps = deps;
  }

  /** Undefined when it cannot be told now. */
  async of(name: string, outer: AbortSignal): Promise<readonly string[] | undefined> {
    const { kube, namespace, stores, log } = this.#deps;
    const signal = AbortSignal.any([outer, AbortSignal.timeout(CALL_DEADLINE_MS)]);
    try {
      const backup = await kube.get({ type: Backup, namespace, name }, { signal });
      const uid = backup.metadata.uid ?? '';
      const known = this.#known.get(uid);
      if (known !== undefined) return known;
      using opened = await stores.open(textAt(backup, 'spec', 'storageLocation') ?? '', signal);
      const list = await readStoredJson(opened.store, backupKeys(name).resourceList, { signal });
      if (!isObject(list)) return undefined;
      const found = namespacesIn(list);
      for (const oldest of this.#known.size < MAX_KEPT ? [] : [...this.#known.keys()].slice(0, 1)) {
        this.#known.delete(oldest);
      }
      this.#known.set(uid, found);
      return found;
    } catch (error) {
      outer.throwIfAborted();
      if (!isAppError(error) && !signal.aborted) throw error;
      log.debug('namespaces of a backup are not known', { backup: name, err: messageOf(error) });
      return undefined;
    }
  }
}

/** Velero's file: kinds to `namespace/name`, or `name` of what has no namespace. */
function namespacesIn(list: JsonObject): string[] {
  const names = new Set<string>();
  for (const [kind, items] of Object.entries(list)) {
    for (const item of Array.isArray(items) ? items : []) {
      if (typeof item !== 'string') continue;
      const slash = item.indexOf('/');
      if (slash > 0) names.add(item.slice(0, slash));
      else if (kind === 'v1/Namespace') names.add(item);
    }
  }
  return [...names];
}
