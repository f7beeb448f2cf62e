import { MIGRATION_NAMESPACE } from '../../api/migration/group.ts';
import type { AppError } from '../../base/index.ts';
import { ADAPTERS, atMoment, formatOperationId, OperationTree, type Adapter } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { FollowedKind } from './follow.ts';
import type { Scope } from './open-cluster.ts';
import type { Seen } from './watch-views.ts';

interface Followed {
  adapter: Adapter;
  kind: FollowedKind;
}

/** The operations of every kind in one cluster as one tree, kept current. */
export class FollowedOperations {
  readonly #cluster: string;
  readonly #followed: readonly Followed[];
  readonly #tree = new OperationTree();
  /** What is in the tree, by the version that it has there. */
  readonly #versions = new Map<string, string>();

  constructor(scope: Scope) {
    this.#cluster = scope.cluster;
    this.#followed = ADAPTERS.map((adapter) => ({
      adapter,
      // Without backups Headway is not installed; everything else may well be missing.
      kind: new FollowedKind(scopeFor(adapter, scope), adapter.type, { isOptional: adapter !== ADAPTERS[0] }),
    }));
  }

  get isKnown(): boolean {
    return this.#followed.every(({ kind }) => kind.isKnown);
  }

  get trouble(): { since: number; error: AppError } | undefined {
    return this.#followed.find(({ kind }) => kind.trouble !== undefined)?.kind.trouble;
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#followed.map(({ kind }) => kind.run(signal)));
  }

  /** Everything that is there now. */
  seen(now: number): Seen[] {
    const gone = new Set(this.#versions.keys());
    for (const { adapter, kind } of this.#followed) {
      for (const object of kind.objects) gone.delete(this.#put(adapter, object, now));
    }
    for (const id of gone) {
      this.#tree.delete(id);
      this.#versions.delete(id);
    }
    return [...this.#tree.entries()].map(({ operation, object }) => ({
      operation: atMoment(operation, now),
      version: object.metadata.resourceVersion ?? '',
    }));
  }

  #put(adapter: Adapter, object: KubeObject, now: number): string {
    const { namespace = '', name, resourceVersion = '', uid = '' } = object.metadata;
    const id = formatOperationId({ cluster: this.#cluster, kind: adapter.type.kind, namespace, name });
    const version = `${uid} ${resourceVersion}`;
    if (this.#versions.get(id) === version) return id;
    this.#versions.set(id, version);
    this.#tree.put(adapter, object, { cluster: this.#cluster, now });
    return id;
  }
}

/** Where the objects of a kind are: the namespace that was asked for is that of the backups. */
function scopeFor({ scope: where }: Adapter, scope: Scope): Scope {
  if (where === 'all') return { ...scope, allNamespaces: true };
  return where === 'migration' ? { ...scope, namespace: MIGRATION_NAMESPACE } : scope;
}
