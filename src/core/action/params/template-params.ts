import { isObject, without, type JsonObject } from '../../../base/index.ts';
import {
  DICT,
  Mapping,
  Pointer,
  STRING,
  TEXTS,
  TEXT_MAP,
  fromObject,
  listOf,
  mapFrom,
  mapOf,
  pointerTo,
  struct,
  texts,
  zeroOf,
  List,
  type Field,
  type Type,
  type Value,
} from '../template/index.ts';
import { CONFIG_MAP, SECRET, configMapValue, secretValue } from './kube-types.ts';
import { PROFILE } from './profile.ts';

/** Pods of a workload that run, with their containers and the claims they mount. */
export interface WorkloadFacts {
  kind: 'StatefulSet' | 'Deployment' | 'DeploymentConfig';
  name: string;
  namespace: string;
  pods: readonly string[];
  /** In the order of the pods. */
  containers: readonly (readonly string[])[];
  /** Pod → claim → where it is mounted. */
  persistentVolumeClaims: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Artifact {
  keyValue?: Record<string, string> | undefined;
  kopiaSnapshot?: string | undefined;
}

/** What a phase has: the objects that were fetched for it, and what it returned. */
export interface PhaseFacts {
  secrets?: Readonly<Record<string, JsonObject>>;
  configMaps?: Readonly<Record<string, JsonObject>>;
  output?: JsonObject;
}

/** What was read from the cluster for one action. Absent means nil, which templates can tell from empty. */
export interface ActionFacts {
  workload?: WorkloadFacts;
  claim?: { name: string; namespace: string };
  /** The namespace of an action on a Namespace. */
  namespace?: string;
  artifacts?: Readonly<Record<string, Artifact>> | undefined;
  configMaps: Readonly<Record<string, JsonObject>>;
  secrets: Readonly<Record<string, JsonObject>>;
  /** When the action began; the same for all of its phases, and after a restart. */
  time: string;
  /** From `profileValue`. */
  profile?: Value;
  options?: Readonly<Record<string, string>> | undefined;
  /** The object that the action is done to. */
  object: JsonObject;
  /** Only those that have begun. */
  phases: Readonly<Record<string, PhaseFacts>>;
  deferPhase?: PhaseFacts;
  podOverride?: JsonObject | undefined;
  podAnnotations?: Readonly<Record<string, string>> | undefined;
  podLabels?: Readonly<Record<string, string>> | undefined;
}

const field = (name: string, type: Type = STRING): Field => ({ name, type });
const structType = (text: string, fields: readonly Field[]): Type => ({ kind: 'struct', text, fields });
const CLAIMS = mapOf(TEXT_MAP);
const NAMED = [field('Name'), field('Namespace')];
const workloadType = (name: string): Type =>
  structType(`param.${name}Params`, [
    ...NAMED,
    field('Pods', TEXTS),
    field('Containers', listOf(TEXTS)),
    field('PersistentVolumeClaims', CLAIMS),
  ]);
const WORKLOADS = {
  StatefulSet: workloadType('StatefulSet'),
  DeploymentConfig: workloadType('DeploymentConfig'),
  Deployment: workloadType('Deployment'),
};
const CLAIM = structType('param.PVCParams', NAMED);
const NAMESPACE = structType('param.NamespaceParams', NAMED);
const ARTIFACT = structType('v1alpha1.Artifact', [
  { name: 'KeyValue', type: TEXT_MAP, json: 'keyValue', omitsEmpty: true },
  { name: 'KopiaSnapshot', type: STRING, json: 'kopiaSnapshot', omitsEmpty: true },
]);
const PHASE = structType('param.Phase', [
  field('Secrets', mapOf(SECRET)),
  field('ConfigMaps', mapOf(CONFIG_MAP)),
  field('Output', DICT),
]);

const TEMPLATE_PARAMS = structType('param.TemplateParams', [
  field('StatefulSet', pointerTo(WORKLOADS.StatefulSet)),
  field('DeploymentConfig', pointerTo(WORKLOADS.DeploymentConfig)),
  field('Deployment', pointerTo(WORKLOADS.Deployment)),
  field('PVC', pointerTo(CLAIM)),
  field('Namespace', pointerTo(NAMESPACE)),
  field('ArtifactsIn', mapOf(ARTIFACT)),
  field('ConfigMaps', mapOf(CONFIG_MAP)),
  field('Secrets', mapOf(SECRET)),
  field('Time'),
  field('Profile', pointerTo(PROFILE)),
  field('Options', TEXT_MAP),
  field('Object', DICT),
  field('CurrentPhase', pointerTo(PHASE)),
  field('Phases', mapOf(pointerTo(PHASE))),
  field('DeferPhase', pointerTo(PHASE)),
  field('PodOverride', { ...DICT, text: 'v1alpha1.JSONMap' }),
  field('PodAnnotations', TEXT_MAP),
  field('PodLabels', TEXT_MAP),
]);

const to = (type: Type, value: Value): Value => new Pointer(pointerTo(type), value);
const textMap = (source: Readonly<Record<string, string>> | undefined): Value =>
  mapFrom(TEXT_MAP, source, (text) => text);

/** The data of every template of an action. With `isMasked`, no value of a Secret is in it. */
export function templateParams(facts: ActionFacts, { isMasked = false } = {}): Value {
  const { workload, claim, namespace } = facts;
  const secret = (object: JsonObject): Value => secretValue(object, { isMasked });
  const phase = (of: PhaseFacts): Value =>
    struct(PHASE, {
      Secrets: mapFrom(mapOf(SECRET), of.secrets, secret),
      ConfigMaps: mapFrom(mapOf(CONFIG_MAP), of.configMaps, configMapValue),
      Output: of.output === undefined ? zeroOf(DICT) : fromObject(of.output),
    });
  return struct(TEMPLATE_PARAMS, {
    ...(workload && { [workload.kind]: to(WORKLOADS[workload.kind], workloadValue(workload)) }),
    ...(claim && { PVC: to(CLAIM, struct(CLAIM, { Name: claim.name, Namespace: claim.namespace })) }),
    ...(namespace !== undefined && {
      Namespace: to(NAMESPACE, struct(NAMESPACE, { Name: namespace, Namespace: namespace })),
    }),
    ArtifactsIn: mapFrom(mapOf(ARTIFACT), facts.artifacts, artifactValue),
    ConfigMaps: mapFrom(mapOf(CONFIG_MAP), facts.configMaps, configMapValue),
    Secrets: mapFrom(mapOf(SECRET), facts.secrets, secret),
    Time: facts.time,
    ...(facts.profile !== undefined && { Profile: to(PROFILE, facts.profile) }),
    Options: textMap(facts.options),
    Object: fromObject(isMasked ? maskedObject(facts.object) : facts.object),
    Phases: mapFrom(mapOf(pointerTo(PHASE)), facts.phases, (of) => to(PHASE, phase(of))),
    DeferPhase: to(PHASE, phase(facts.deferPhase ?? {})),
    PodOverride:
      facts.podOverride === undefined ? new Mapping(DICT, [], { isNil: true }) : fromObject(facts.podOverride),
    PodAnnotations: textMap(facts.podAnnotations),
    PodLabels: textMap(facts.podLabels),
  });
}

function workloadValue(workload: WorkloadFacts): Value {
  return struct(WORKLOADS[workload.kind], {
    Name: workload.name,
    Namespace: workload.namespace,
    Pods: texts(workload.pods),
    Containers: new List(
      listOf(TEXTS),
      workload.containers.map((names) => texts(names)),
    ),
    PersistentVolumeClaims: mapFrom(CLAIMS, workload.persistentVolumeClaims, textMap),
  });
}

function artifactValue({ keyValue, kopiaSnapshot = '' }: Artifact): Value {
  return struct(ARTIFACT, { KeyValue: textMap(keyValue), KopiaSnapshot: kopiaSnapshot });
}

/** The object of an action may itself be a Secret. */
function maskedObject(object: JsonObject): JsonObject {
  if (object['kind'] !== 'Secret') return object;
  const { data } = object;
  const hidden = isObject(data) ? Object.fromEntries(Object.keys(data).map((key) => [key, 'Kioq'])) : {};
  // kubectl leaves a copy of all data in an annotation.
  const { metadata } = object;
  const meta = isObject(metadata) ? { metadata: without(metadata, 'annotations', 'managedFields') } : {};
  return { ...without(object, 'stringData'), ...meta, data: hidden };
}
