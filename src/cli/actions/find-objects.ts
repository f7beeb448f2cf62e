import { AppError, isAppError } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { namespaceOf, operationKinds, placeText, type Kind } from '../objects/kinds.ts';
import { knownNamespaces } from './known-namespaces.ts';
import { isAboutObject, type Scope } from './open-cluster.ts';
import { notShownLine, nothingListed, type Refusal } from './refusals.ts';

/** An object, and the kind by which it was found. */
export interface Found {
  kind: Kind;
  object: KubeObject;
}

/** What can be the name of an object, and stand in a selector. */
const NAME = /^[a-z0-9.-]+$/;

interface Selection {
  labelSelector?: string;
  fieldSelector?: string;
}

/** Everything of these kinds. What is not in the cluster or may not be listed is left out, unless that is all of it. */
export async function findAll(scope: Scope, kinds: readonly Kind[], selection: Selection = {}): Promise<Found[]> {
  const { found, refusals } = await listKinds(scope, kinds, selection);
  if (refusals.length === kinds.length) throw nothingListed(scope, refusals);
  const line = notShownLine(refusals);
  if (line !== undefined) scope.deps.output.note(line);
  return found;
}

/** The same without a word about what is left out, for what only completes something else. */
export async function listKinds(
  scope: Scope,
  kinds: readonly Kind[],
  selection: Selection = {},
): Promise<{ found: Found[]; refusals: Refusal[] }> {
  const refusals: Refusal[] = [];
  const lists = kinds.map(async (kind) => {
    try {
      return (await listKind(scope, kind, selection)).map((object) => ({ kind, object }));
    } catch (error) {
      if (!isAppError(error, 'notFound', 'forbidden')) throw error;
      refusals.push({ kind, error });
      return [];
    }
  });
  return { found: (await Promise.all(lists)).flat(), refusals };
}

async function listKind(scope: Scope, kind: Kind, selection: Selection): Promise<KubeObject[]> {
  const namespace = namespaceOf(scope, kind);
  try {
    return await listIn(scope, kind, { ...selection, namespace });
  } catch (error) {
    if (namespace !== undefined || !isAppError(error, 'forbidden')) throw error;
    return await listOneByOne(scope, kind, selection, error);
  }
}

/** For those who may list it in some namespaces only. */
async function listOneByOne(scope: Scope, kind: Kind, selection: Selection, refused: AppError): Promise<KubeObject[]> {
  const lists: KubeObject[][] = [];
  for (const namespace of await knownNamespaces(scope)) {
    try {
      lists.push(await listIn(scope, kind, { ...selection, namespace }));
    } catch (error) {
      if (!isAppError(error, 'forbidden')) throw error;
    }
  }
  if (lists.length === 0) throw refused;
  return lists.flat();
}

async function listIn(
  { kube, deps }: Scope,
  { type }: Kind,
  { namespace, ...selection }: Selection & { namespace: string | undefined },
): Promise<KubeObject[]> {
  const target = namespace === undefined ? { type } : { type, namespace };
  let items: KubeObject[] = [];
  for await (const page of kube.list(target, { signal: deps.signal, ...selection })) {
    if (page.restarted) items = [];
    for (const item of page.items) items.push(item);
  }
  return items;
}

/** The one of this name: `NAME`, or `KIND/NAME` where several kinds have one. */
export async function findNamed(scope: Scope, kinds: readonly Kind[], text: string): Promise<Found> {
  const { among, name } = parseName(kinds, text);
  const refusals: Refusal[] = [];
  const found: Found[] = [];
  for (const each of await Promise.all(among.map((kind) => lookFor(scope, kind, name)))) {
    if (Array.isArray(each)) found.push(...each);
    else refusals.push(each);
  }
  const [first, ...others] = found;
  if (first !== undefined && others.length === 0) return first;
  if (first !== undefined) throw severalNamed(name, found);
  if (refusals.length === among.length) throw nothingListed(scope, refusals);
  const noun = among[0]?.noun ?? '';
  throw new AppError('notFound', `there is no ${noun} "${name}" ${placeText(scope, among)}`, {
    details: { hint: `List what there is with: ${scope.deps.programName} ${noun} get` },
  });
}

function parseName(kinds: readonly Kind[], text: string): { among: readonly Kind[]; name: string } {
  const [word, name, ...rest] = text.split('/');
  if (name === undefined) return { among: kinds, name: text };
  const named = operationKinds(word ?? '').map(({ type }) => type.kind);
  const among = kinds.filter(({ type }) => named.includes(type.kind));
  if (rest.length > 0 || name === '' || among.length === 0) {
    const known = kinds.map(({ type }) => type.kind.toLowerCase()).join(', ');
    throw new AppError('usage', `"${text}" names nothing: expected NAME, or KIND/NAME with one of the kinds ${known}`);
  }
  return { among, name };
}

/** Those of this kind with this name: at most one, unless all namespaces are meant. */
async function lookFor(scope: Scope, kind: Kind, name: string): Promise<Found[] | Refusal> {
  const namespace = namespaceOf(scope, kind);
  const { type } = kind;
  try {
    if (namespace !== undefined) {
      return [{ kind, object: await scope.kube.get({ type, namespace, name }, { signal: scope.deps.signal }) }];
    }
    if (!NAME.test(name)) return [];
    const objects = await listKind(scope, kind, { fieldSelector: `metadata.name=${name}` });
    return objects.filter(({ metadata }) => metadata.name === name).map((object) => ({ kind, object }));
  } catch (error) {
    if (!isAppError(error, 'notFound', 'forbidden')) throw error;
    return isAppError(error, 'notFound') && isAboutObject(error, name) ? [] : { kind, error };
  }
}

function severalNamed(name: string, found: readonly Found[]): AppError {
  const each = found.map(
    ({ kind, object }) => `${kind.type.kind.toLowerCase()}/${name} in ${object.metadata.namespace ?? ''}`,
  );
  return new AppError('usage', `"${name}" names several: ${each.join(', ')}`, {
    details: { hint: 'Choose one by its kind, as KIND/NAME, or by its namespace, with -n NAMESPACE' },
  });
}

/** Those that are there; and an error about the names that are not, for after the others were shown. */
export async function findSeveral(
  scope: Scope,
  kinds: readonly Kind[],
  names: readonly string[],
): Promise<{ found: Found[]; missing?: AppError }> {
  const found: Found[] = [];
  const missing: AppError[] = [];
  for (const name of names) {
    try {
      found.push(await findNamed(scope, kinds, name));
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      missing.push(error);
    }
  }
  const [first] = missing;
  if (first === undefined) return { found };
  const message = [...new Set(missing.map((each) => each.message))].join('\n');
  return { found, missing: new AppError('notFound', message, { cause: first, details: { ...first.details } }) };
}
