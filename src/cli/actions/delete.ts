import { AppError, formatDuration, isAppError, objectsAt, textAt, valueAt } from '../../base/index.ts';
import type { KubeObject, NamedTarget } from '../../edge/kube/index.ts';
import { namespaceOf, placeText, type Kind } from '../objects/kinds.ts';
import { stampedName } from '../objects/new-object.ts';
import { findAll, findNamed, type Found } from './find-objects.ts';
import type { Scope } from './open-cluster.ts';

const LOOK_EVERY_MS = 250;

export interface DeleteFlags {
  all?: true;
  selector?: string;
  confirm?: true;
  wait?: true;
  timeout?: number;
}

export async function deleteObjects(
  scope: Scope,
  kinds: readonly Kind[],
  { names, flags }: { names: readonly string[]; flags: DeleteFlags },
): Promise<number> {
  const { output } = scope.deps;
  const all = await chosenObjects(scope, kinds, { names, flags });
  if (all.length === 0) {
    output.note(`No ${kinds[0]?.noun ?? ''}s to delete ${placeText(scope, kinds)}`);
    return 0;
  }
  if (flags.confirm !== true) await askFirst(scope, all);
  let isClean = true;
  for (const found of all) isClean = (await deleteOne(scope, found, flags)) && isClean;
  return isClean ? 0 : 1;
}

async function chosenObjects(
  scope: Scope,
  kinds: readonly Kind[],
  { names, flags }: { names: readonly string[]; flags: DeleteFlags },
): Promise<Found[]> {
  const ways = [names.length > 0, flags.all === true, flags.selector !== undefined].filter(Boolean).length;
  if (ways !== 1) {
    throw new AppError('usage', `say which ${kinds[0]?.noun ?? ''}s to delete: give names, --selector or --all`);
  }
  if (names.length > 0) return await Promise.all(names.map((name) => findNamed(scope, kinds, name)));
  // `--all` that nobody has limited must not reach into every namespace.
  if (kinds.some((kind) => namespaceOf(scope, kind) === undefined)) {
    throw new AppError('usage', `say in which namespace to delete ${kinds[0]?.noun ?? ''}s, with -n NAMESPACE`);
  }
  return await findAll(scope, kinds, flags.selector === undefined ? {} : { labelSelector: flags.selector });
}

async function askFirst({ deps }: Scope, all: readonly Found[]): Promise<void> {
  const names = all.map(({ object }) => object.metadata.name);
  const shown =
    names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${String(names.length - 5)} more` : names.join(', ');
  const what = `${all[0]?.kind.noun ?? ''}${names.length > 1 ? 's' : ''} ${shown}`;
  const consequences = [...new Set(all.map(({ kind }) => kind.consequence))].join('; ');
  const answer = await deps.confirm(`Delete ${what}? (${consequences}) [y/N] `);
  if (answer === true) return;
  if (answer === false) throw new AppError('canceled', 'nothing was deleted');
  throw new AppError('usage', `deleting ${what} needs confirmation, and there is no terminal to ask on`, {
    details: { hint: 'Pass --confirm to delete without being asked' },
  });
}

/** False when it was waited for and did not go. */
async function deleteOne(scope: Scope, found: Found, flags: DeleteFlags): Promise<boolean> {
  const { deps, kube } = scope;
  const { kind, object } = found;
  const { name, uid } = object.metadata;
  const request = await requestDeletion(scope, found);
  if (request === undefined) {
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    await kube.delete(targetOf(found), { signal: deps.signal, ...preconditions });
  }
  if (flags.wait === true) return await waitUntilGone(scope, { found, request, timeoutMs: flags.timeout });
  deps.output.line(`${kind.noun}/${name} ${request === undefined ? 'deleted' : 'will be deleted'}`);
  return true;
}

/** Of kinds with which more must go than their object: the server deletes both, in the right order. */
async function requestDeletion({ deps, kube }: Scope, { kind, object }: Found): Promise<NamedTarget | undefined> {
  const asked = kind.adapter?.deletion.request?.(object);
  if (asked === undefined) return undefined;
  const { generateName: _, ...metadata } = asked.object.metadata;
  const name = stampedName(object.metadata.name, deps.clock.now());
  const { namespace = '' } = metadata;
  const target = { type: asked.type, namespace };
  try {
    await kube.create(target, { ...asked.object, metadata: { ...metadata, name } }, { signal: deps.signal });
  } catch (error) {
    // The same wish in the same second is one wish.
    if (!isAppError(error, 'alreadyExists')) throw error;
  }
  return { ...target, name };
}

function targetOf({ kind: { type }, object: { metadata } }: Found): NamedTarget {
  const { namespace, name } = metadata;
  return { type, name, ...(namespace === undefined ? {} : { namespace }) };
}

interface Leaving {
  found: Found;
  request: NamedTarget | undefined;
  timeoutMs: number | undefined;
}

async function waitUntilGone(scope: Scope, leaving: Leaving): Promise<boolean> {
  const { deps, kube } = scope;
  const { name, uid } = leaving.found.object.metadata;
  const { noun } = leaving.found.kind;
  const started = deps.clock.now();
  const limit = leaving.timeoutMs ?? 10 * 60_000;
  while (deps.clock.now() - started < limit) {
    const now = await seenOrGone(kube.get(targetOf(leaving.found), { signal: deps.signal }));
    if (now === undefined || now.metadata.uid !== uid) {
      deps.output.line(`${noun}/${name} deleted`);
      return true;
    }
    const refusals = leaving.request === undefined ? [] : await refusalsOf(scope, leaving.request);
    if (refusals.length > 0) {
      deps.output.line(`✕ ${noun}/${name} could not be deleted`);
      for (const refusal of refusals) deps.output.line(`  ${refusal}`);
      return false;
    }
    await deps.clock.sleep(LOOK_EVERY_MS, deps.signal);
  }
  throw new AppError('timeout', `${noun} "${name}" is still there after ${formatDuration(limit / 1000)}`, {
    details: { hint: `Is a Headway server running for this cluster? Start one with: ${deps.programName} server` },
  });
}

/** Why the request was answered without deleting. */
async function refusalsOf({ deps, kube }: Scope, asked: NamedTarget): Promise<string[]> {
  const request = await seenOrGone(kube.get(asked, { signal: deps.signal }));
  if (request === undefined || textAt(request, 'status', 'phase') !== 'Processed') return [];
  const errors = valueAt(request, 'status', 'errors');
  const conditions = objectsAt(request, 'status', 'conditions').map((each) => textAt(each, 'message') ?? '');
  const texts = Array.isArray(errors) ? errors.filter((text) => typeof text === 'string') : conditions;
  return texts.filter((text) => text !== '');
}

async function seenOrGone(seen: Promise<KubeObject>): Promise<KubeObject | undefined> {
  try {
    return await seen;
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}
