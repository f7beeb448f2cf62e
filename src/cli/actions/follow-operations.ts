import { atMoment, formatOperationId, OperationTree } from '../../core/operations/index.ts';
import { OPERATION_KINDS, withParts, type Kind, type OperationKind } from '../objects/kinds.ts';
import type { Found } from './find-objects.ts';
import { FollowedKinds } from './follow-kinds.ts';
import type { Scope } from './open-cluster.ts';
import { nothingListed, type Refusal } from './refusals.ts';
import type { Seen, Trouble } from './watch-views.ts';

interface FollowedCluster {
  scope: Scope;
  kinds: FollowedKinds;
}

/** The operations of several clusters as one tree, kept current: a part may be on another cluster than the whole. */
export class FollowedOperations {
  readonly #clusters: readonly FollowedCluster[];
  readonly #tree = new OperationTree();
  /** What is in the tree, by the version that it has there. */
  readonly #versions = new Map<string, string>();

  /** Everything; or, where `wanted` are the kinds of one that is asked for, these and their parts. */
  constructor(scopes: readonly Scope[], wanted?: readonly OperationKind[]) {
    const kinds = wanted === undefined ? OPERATION_KINDS : withParts(wanted);
    // MTC makes its backups in the namespace of the migration, Headway in that of all backups.
    const alsoWith = (kind: Kind): readonly Kind[] =>
      (wanted?.some(({ type }) => type === kind.type) ? [] : wanted) ?? [];
    this.#clusters = scopes.map((scope) => ({ scope, kinds: new FollowedKinds(scope, { kinds, alsoWith }) }));
  }

  get isKnown(): boolean {
    return this.#clusters.every(({ kinds }) => kinds.isKnown);
  }

  get troubles(): Trouble[] {
    return this.#clusters.flatMap(({ scope, kinds }) =>
      kinds.trouble === undefined ? [] : [{ cluster: scope.cluster, ...kinds.trouble }],
    );
  }

  /** What a cluster does not show: kinds that are not there, or that the user may not list. */
  get refusals(): Refusal[] {
    return this.#clusters.flatMap(({ kinds }) => kinds.refusals);
  }

  /** Throws if in some cluster there is nothing to see of the kinds that are asked for. */
  checkRefusals(wanted: readonly Kind[] = OPERATION_KINDS): void {
    for (const { scope, kinds } of this.#clusters) {
      const refused = kinds.refusals.filter(({ kind }) => wanted.some(({ type }) => type === kind.type));
      if (refused.length === wanted.length) throw nothingListed(scope, refused);
    }
  }

  async run(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#clusters.map(({ kinds }) => kinds.run(signal)));
  }

  /** Everything that is there now. */
  seen(now: number): Seen[] {
    const gone = new Set(this.#versions.keys());
    for (const { scope, kinds } of this.#clusters) {
      for (const found of kinds.found()) {
        const id = this.#put(found, { cluster: scope.cluster, now });
        if (id !== undefined) gone.delete(id);
      }
    }
    for (const id of gone) {
      this.#tree.delete(id);
      this.#versions.delete(id);
    }
    return [...this.#tree.entries()].map(({ operation, object }) => ({
      operation: atMoment(operation, now),
      version: `${object.metadata.resourceVersion ?? ''} ${operation.parent ?? ''}`,
    }));
  }

  #put({ kind: { adapter }, object }: Found, seen: { cluster: string; now: number }): string | undefined {
    if (adapter === undefined) return undefined;
    const { namespace = '', name, resourceVersion = '', uid = '' } = object.metadata;
    const id = formatOperationId({ cluster: seen.cluster, kind: adapter.type.kind, namespace, name });
    const version = `${uid} ${resourceVersion}`;
    if (this.#versions.get(id) === version) return id;
    this.#versions.set(id, version);
    this.#tree.put(adapter, object, seen);
    return id;
  }
}
