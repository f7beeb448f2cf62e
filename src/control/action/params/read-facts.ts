import { CONFIG_MAP, Profile, SECRET, type ResourceType } from '../../../api/index.ts';
import { AppError, isAppError, isObjectName, messageOf, type JsonObject } from '../../../base/index.ts';
import {
  actionTarget,
  profileSecrets,
  profileValue,
  type ActionFacts,
  type ActionSpec,
  type Target,
  type WorkloadFacts,
} from '../../../core/action/index.ts';
import type { Kube, KubeObject, NamedTarget } from '../../../edge/kube/index.ts';
import type { PatientCalls } from '../../operation/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { readWorkload } from './workload.ts';

export interface FactsDeps {
  kube: Kube;
  api: PatientCalls;
  signal: AbortSignal;
  /** Of the ActionSet: what a reference without a namespace means. */
  namespace: string;
  /** When the action began. */
  time: string;
  /** For dry runs: no value of a Secret is in what is returned. */
  isMasked?: boolean;
  /** The pods as they were when the action began; read anew where absent. */
  workload?: WorkloadFacts | undefined;
}

/** What an action works with. */
export interface ActionInputs {
  target: Target;
  facts: ActionFacts;
  profile: Profile | undefined;
}

type Reference = { name?: string | undefined; namespace?: string | undefined };

/** Reads everything an action names. All that is missing or forbidden is told at once; what may pass is thrown. */
export async function readFacts(
  spec: ActionSpec,
  deps: FactsDeps,
): Promise<{ inputs: ActionInputs | undefined; problems: string[] }> {
  const problems: string[] = [];
  const attempt = async <T>(read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      if (!isAppError(error, 'notFound', 'forbidden', 'invalid', 'unsupported')) throw error;
      problems.push(messageOf(error));
      return undefined;
    }
  };
  const target = await attempt(() => Promise.resolve(actionTarget(spec.object ?? {})));
  const [secrets, configMaps, profile, object] = await Promise.all([
    attempt(() => readAll(SECRET, spec.secrets, deps)),
    attempt(() => readAll(CONFIG_MAP, spec.configMaps, deps)),
    attempt(() => readProfile(spec, deps)),
    target === undefined ? undefined : attempt(() => readTarget(target, deps)),
  ]);
  if (target === undefined || object === undefined) return { inputs: undefined, problems };
  const workload = await attempt(() => workloadOf(target, object, deps));
  const facts: ActionFacts = {
    ...(workload !== undefined && { workload }),
    ...(target.kind === 'PVC' && { claim: { name: target.name, namespace: target.namespace ?? '' } }),
    ...(target.kind === 'Namespace' && { namespace: spec.object?.namespace ?? '' }),
    artifacts: spec.artifacts,
    configMaps: configMaps ?? {},
    secrets: secrets ?? {},
    time: deps.time,
    ...(profile !== undefined && { profile: profile.value }),
    options: spec.options,
    object,
    phases: {},
    podOverride: spec.podOverride,
    podAnnotations: spec.podAnnotations,
    podLabels: spec.podLabels,
  };
  return { inputs: { target, facts, profile: profile?.profile }, problems };
}

async function workloadOf(target: Target, object: KubeObject, deps: FactsDeps): Promise<WorkloadFacts | undefined> {
  const { kind } = target;
  if (kind !== 'Deployment' && kind !== 'StatefulSet' && kind !== 'DeploymentConfig') return undefined;
  return deps.workload ?? (await deps.api.call(() => readWorkload(kind, object, deps.kube, deps.signal)));
}

async function readTarget(target: Target, deps: FactsDeps): Promise<KubeObject> {
  const { group, version, resource, namespace, name } = target;
  const type: ResourceType = {
    ...{ group, version, plural: resource, kind: target.kind === 'other' ? '' : target.kind },
    namespaced: namespace !== undefined,
  };
  try {
    return await get({ type, name, ...(namespace === undefined ? {} : { namespace }) }, deps);
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    const where = `namespace: ${namespace ?? ''}, group: ${group}, version: ${version}, resource: ${resource}`;
    throw new AppError('notFound', `could not fetch object name: ${name}, ${where}: ${messageOf(error)}`);
  }
}

/** Secrets or ConfigMaps by the name they are called by. Throws `notFound` with all that are missing. */
export async function readAll(
  type: ResourceType,
  references: Readonly<Record<string, Reference>> | undefined,
  deps: Pick<FactsDeps, 'kube' | 'api' | 'signal' | 'namespace'>,
): Promise<Record<string, JsonObject>> {
  const missing: string[] = [];
  const read = await Promise.all(
    Object.entries(references ?? {}).map(async ([key, reference]) => {
      try {
        return [key, await get({ type, ...placeOf(reference, deps.namespace) }, deps)] as const;
      } catch (error) {
        if (!isAppError(error, 'notFound', 'invalid', 'forbidden')) throw error;
        missing.push(messageOf(error));
        return undefined;
      }
    }),
  );
  if (missing.length > 0) throw new AppError('notFound', missing.join('; '));
  return Object.fromEntries(read.filter((entry) => entry !== undefined));
}

async function readProfile(
  { profile: reference }: ActionSpec,
  deps: FactsDeps,
): Promise<{ profile: Profile; value: ActionFacts['profile'] } | undefined> {
  if (reference === undefined) return undefined;
  const object = await get({ type: Profile, ...placeOf(reference, deps.namespace) }, deps);
  const profile = Profile.parse(object).value;
  const read = new Map<string, JsonObject>();
  for (const secret of profileSecrets(profile)) {
    const place = placeOf(secret, deps.namespace);
    read.set(`${secret.namespace}/${secret.name}`, await get({ type: SECRET, ...place }, deps));
  }
  const secrets = ({ namespace, name }: { namespace: string; name: string }): JsonObject =>
    read.get(`${namespace}/${name}`) ?? {};
  return { profile, value: profileValue(profile, { secrets, isMasked: deps.isMasked ?? false }) };
}

function placeOf({ name = '', namespace = '' }: Reference, own: string): { name: string; namespace: string } {
  return { name, namespace: namespace === '' ? own : namespace };
}

/** In the API server's own words for what is not there: people search for them. */
async function get(
  target: NamedTarget,
  { kube, api, signal }: Pick<FactsDeps, 'kube' | 'api' | 'signal'>,
): Promise<KubeObject> {
  const { type, name } = target;
  const missing = (): AppError => {
    const resource = type.group === '' ? type.plural : `${type.plural}.${type.group}`;
    return new AppError('notFound', `${resource} "${name}" not found`);
  };
  // A name that no object can have comes from users, and must not become the path of something else.
  if (!isObjectName(name)) throw missing();
  try {
    return await api.call(() => kube.get(target, { signal, deadlineMs: CALL_DEADLINE_MS }));
  } catch (error) {
    if (isAppError(error, 'notFound')) throw missing();
    throw error;
  }
}
