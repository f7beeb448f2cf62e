import { isEqual, isObject, objectAt, type Json, type JsonObject } from '../../../base/index.ts';
import { CONTROLLER_REVISIONS, type ControllerRevision, type KubeObject, type PodTemplate } from '../kinds/index.ts';
import { controllerReference, ownedObjects } from '../owned.ts';
import { isGoing } from '../pod-state.ts';
import type { ControllerDeps, TypeOf } from '../ports.ts';
import { matchesSelector } from '../selector.ts';
import { templateHash } from '../template-hash.ts';
import type { DaemonSet, StatefulSet } from '../kinds/index.ts';

/** The label on pods, and on the revisions of daemon sets. */
export const REVISION_LABEL = 'controller-revision-hash';

interface History<Owner extends KubeObject> {
  owner: Owner;
  type: TypeOf<Owner>;
  /** The label on the revision that holds the hash. */
  hashLabel: string;
  collisions: number;
}

/** Every revision of an owner's template, oldest first; the newest is the one of its template now. */
export async function syncRevisions<Owner extends StatefulSet | DaemonSet>(
  deps: ControllerDeps,
  history: History<Owner>,
): Promise<{ newest: ControllerRevision; all: ControllerRevision[] } | 'collision'> {
  const { client } = deps;
  const { owner, type } = history;
  const found = await ownedObjects(deps, {
    owner,
    ownerType: type,
    type: CONTROLLER_REVISIONS,
    storage: 'controllerrevisions.apps',
    matches: (revision) => matchesSelector(owner.spec.selector, revision.metadata.labels),
  });
  const all = found.toSorted((a, b) => a.revision - b.revision);
  const next = (all.at(-1)?.revision ?? 0) + 1;
  const data = revisionData(owner.spec.template);
  const equal = all.findLast((revision) => isEqual(revision.data, data));
  if (equal !== undefined) {
    if (equal === all.at(-1) || isGoing(owner)) return { newest: equal, all };
    // Rolled back: the old revision is the newest again.
    const newest = await client.update(CONTROLLER_REVISIONS, { ...equal, revision: next });
    return { newest, all: [...all.filter((revision) => revision !== equal), newest] };
  }
  const wanted = newRevision(history, data, next);
  if (client.get(CONTROLLER_REVISIONS, owner.metadata.namespace ?? '', wanted.metadata.name) !== undefined) {
    return 'collision';
  }
  const newest = await client.create(CONTROLLER_REVISIONS, wanted);
  return { newest, all: [...all, newest] };
}

function newRevision<Owner extends StatefulSet | DaemonSet>(
  history: History<Owner>,
  data: Json,
  revision: number,
): JsonObject & { metadata: JsonObject & { name: string } } {
  const { owner, type, hashLabel, collisions } = history;
  const { name, namespace = '', annotations = {} } = owner.metadata;
  const { template } = owner.spec;
  const hash = templateHash(template, collisions);
  return {
    metadata: {
      name: `${name.slice(0, 223)}-${hash}`,
      namespace,
      labels: { ...template.metadata?.labels, [hashLabel]: hash },
      annotations,
      ownerReferences: [controllerReference(type, owner)],
    },
    data,
    revision,
  };
}

/** A strategic merge patch that brings the template back, which is what `kubectl rollout undo` sends. */
function revisionData(template: PodTemplate): JsonObject {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

export function templateOf(revision: ControllerRevision): PodTemplate {
  const { $patch: _directive, ...template } = objectAt(
    isObject(revision.data) ? revision.data : {},
    'spec',
    'template',
  );
  return template as PodTemplate;
}

/** Deletes the oldest revisions beyond the limit that no pod has. */
export async function trimRevisions(
  { client }: ControllerDeps,
  all: readonly ControllerRevision[],
  options: { limit: number; isUsed(revision: ControllerRevision): boolean },
): Promise<void> {
  const unused = all.filter((revision) => !options.isUsed(revision));
  for (const { metadata } of unused.slice(0, Math.max(0, unused.length - options.limit))) {
    await client.delete(CONTROLLER_REVISIONS, metadata.namespace ?? '', metadata.name);
  }
}
