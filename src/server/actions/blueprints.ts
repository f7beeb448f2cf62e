import { Blueprint } from '../../api/index.ts';
import { AppError, isAppError, messageOf, without, type JsonObject } from '../../base/index.ts';
import { validateBlueprint } from '../../core/action/index.ts';
import type { BlueprintAnswer, BlueprintProblem, BlueprintRow } from '../../core/operations/index.ts';
import { present } from '../../core/progress/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';

const MAX_BLUEPRINTS = 1000;
/** More namespaces are not asked one by one. */
const MAX_NAMESPACES = 100;
const AT_ONCE = 8;

export interface Listed {
  found: KubeObject[];
  isCut: boolean;
  notes: string[];
}

/** All Blueprints that the caller may list: in all namespaces, else in those where they may. */
export async function listBlueprints(
  kube: KubeClient,
  { namespaces, signal }: { namespaces: readonly string[]; signal: AbortSignal },
): Promise<Listed> {
  try {
    return { ...cut(await listIn(kube, undefined, signal)), notes: [] };
  } catch (error) {
    // Nothing of Kanister is installed there.
    if (isAppError(error, 'notFound')) return { found: [], isCut: false, notes: [] };
    if (!isAppError(error, 'forbidden')) throw error;
    return await listEach(kube, { namespaces, signal, refusal: error });
  }
}

async function listEach(
  kube: KubeClient,
  { namespaces, signal, refusal }: { namespaces: readonly string[]; signal: AbortSignal; refusal: AppError },
): Promise<Listed> {
  const asked = namespaces.slice(0, MAX_NAMESPACES);
  const found: KubeObject[] = [];
  let allowed = 0;
  const waiting = asked.values();
  const worker = async (): Promise<void> => {
    for (const namespace of waiting) {
      try {
        found.push(...(await listIn(kube, namespace, signal)));
        allowed += 1;
      } catch (error) {
        if (!isAppError(error, 'forbidden')) throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  if (allowed === 0) throw new AppError('forbidden', `see blueprints: ${refusal.message}`, { cause: refusal });
  const note = 'you may not list Blueprints in all namespaces, so that only those where you may are shown';
  return { ...cut(found), notes: [note] };
}

async function listIn(kube: KubeClient, namespace: string | undefined, signal: AbortSignal): Promise<KubeObject[]> {
  const target = { type: Blueprint, ...(namespace === undefined ? {} : { namespace }) };
  const found: KubeObject[] = [];
  for await (const { items } of kube.list(target, { signal })) {
    found.push(...items);
    if (found.length > MAX_BLUEPRINTS) break;
  }
  return found;
}

function cut(found: readonly KubeObject[]): { found: KubeObject[]; isCut: boolean } {
  const key = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
  const sorted = found.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
  return { found: sorted.slice(0, MAX_BLUEPRINTS), isCut: sorted.length > MAX_BLUEPRINTS };
}

interface Checked {
  row: Omit<BlueprintRow, 'cluster'>;
  problems: BlueprintProblem[];
}

/** What is found out about Blueprints, so that whoever looks often has each looked through once. */
export class BlueprintBook {
  readonly #checked = new Map<string, Checked>();

  row(cluster: string, object: KubeObject): BlueprintRow {
    return { cluster, ...this.#check(cluster, object).row };
  }

  answer(cluster: string, object: KubeObject): BlueprintAnswer {
    const { row, problems } = this.#check(cluster, object);
    const metadata = without(object.metadata, 'managedFields');
    return { cluster, ...row, problems, object: { ...object, metadata } };
  }

  #check(cluster: string, object: KubeObject): Checked {
    const { uid = '', resourceVersion = '' } = object.metadata;
    const key = `${cluster}/${uid}/${resourceVersion}`;
    const known = this.#checked.get(key);
    if (known !== undefined) return known;
    const checked = check(object);
    this.#checked.set(key, checked);
    const [oldest] = this.#checked.keys();
    if (this.#checked.size > MAX_BLUEPRINTS && oldest !== undefined) this.#checked.delete(oldest);
    return checked;
  }
}

function check(object: KubeObject): Checked {
  const { namespace = '', name, creationTimestamp = '' } = object.metadata;
  const problems = problemsOf(object);
  const actions = Object.values((object['actions'] ?? {}) as JsonObject);
  const count = (wanted: (stops: BlueprintProblem['stops']) => boolean): number =>
    problems.filter(({ stops }) => wanted(stops)).length;
  return {
    row: {
      ...{ namespace, name, createdAt: creationTimestamp },
      actions: Object.keys((object['actions'] ?? {}) as JsonObject),
      phases: actions.reduce<number>((sum, action) => sum + phaseCount(action), 0),
      errors: count((stops) => stops !== 'nothing'),
      warnings: count((stops) => stops === 'nothing'),
    },
    problems,
  };
}

function phaseCount(action: unknown): number {
  const { phases, deferPhase } = (action ?? {}) as { phases?: unknown; deferPhase?: unknown };
  return (Array.isArray(phases) ? phases.length : 0) + (deferPhase === undefined ? 0 : 1);
}

/** Whoever may write Blueprints may write anything into them. */
function problemsOf(object: KubeObject): BlueprintProblem[] {
  try {
    const { value } = Blueprint.parse(object);
    return validateBlueprint(value).map(({ where, message, stops }) => {
      const { action, phase, argument, line } = where;
      return present({ action, phase, argument, line, message, stops });
    });
  } catch (error) {
    return [{ message: messageOf(error), stops: 'run' }];
  }
}
