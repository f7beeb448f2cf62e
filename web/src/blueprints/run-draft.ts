import { isObjectName, objectAt, objectsAt, type JsonObject } from '../../../src/base/index.ts';
import { present } from '../../../src/core/progress/index.ts';
import type { BlueprintAction } from './blueprint-actions.ts';

/** What the form asks about an action set. */
export interface RunDraft {
  name: string;
  action: string;
  object: ObjectDraft;
  /** `[namespace/]name`, as all that stand for an object. */
  profile: string;
  /** By the names that the Blueprint needs. */
  secrets: Readonly<Record<string, string>>;
  configMaps: Readonly<Record<string, string>>;
  /** One `key=value` a line; values may have anything in them. */
  options: string;
  /** Others than those that are needed, one `key=[namespace/]name` a line. */
  moreSecrets: string;
  moreConfigMaps: string;
  /** Id of an earlier action set, whose artifacts are taken. */
  from: string;
}

export interface ObjectDraft {
  /** Of a known kind, or `other`. */
  kind: string;
  namespace: string;
  name: string;
  group: string;
  version: string;
  resource: string;
}

export const OTHER_KIND = 'other';
export const KNOWN_KINDS = ['StatefulSet', 'Deployment', 'PVC', 'Namespace', 'DeploymentConfig'] as const;

export function emptyDraft(name: string, action: BlueprintAction, namespace: string): RunDraft {
  const known = KNOWN_KINDS.find((kind) => kind.toLowerCase() === action.kind?.toLowerCase());
  return {
    name,
    action: action.name,
    object: { kind: known ?? 'StatefulSet', namespace, name: '', group: '', version: '', resource: '' },
    profile: '',
    secrets: {},
    configMaps: {},
    options: '',
    moreSecrets: '',
    moreConfigMaps: '',
    from: '',
  };
}

/** What would be refused anyway, in the order of the form. */
export function draftProblem(draft: RunDraft, action: BlueprintAction): string | undefined {
  const { object, from } = draft;
  if (action.inputs.length > 0 && from === '') return 'Choose the action set whose artifacts are needed.';
  const isInherited = from !== '' && object.name === '';
  if (!isInherited && object.name === '') return 'Name the object of the action.';
  const isOther = object.kind === OTHER_KIND;
  if (!isInherited && isOther && (object.version === '' || object.resource === '')) {
    return 'Say the version and the resource of the object, such as v1 and configmaps.';
  }
  const missing = [
    ...(from === '' ? action.secrets.filter((name) => !draft.secrets[name]) : []),
    ...(from === '' ? action.configMaps.filter((name) => !draft.configMaps[name]) : []),
  ];
  if (missing.length > 0) return `Fill in what the Blueprint needs: ${missing.join(', ')}.`;
  return referenceProblem(draft) ?? optionProblem(draft.options);
}

function referenceProblem(draft: RunDraft): string | undefined {
  const given = [
    draft.profile,
    ...Object.values(draft.secrets),
    ...Object.values(draft.configMaps),
    ...Object.values(linesAsPairs(draft.moreSecrets)),
    ...Object.values(linesAsPairs(draft.moreConfigMaps)),
  ].filter((text) => text !== '');
  const wrong = given.find((text) => placeOf(text, 'x') === undefined);
  return wrong === undefined ? undefined : `“${wrong}” is not the name of an object. Write name or namespace/name.`;
}

function optionProblem(options: string): string | undefined {
  const wrong = options.split('\n').find((line) => line.trim() !== '' && !/^[^=]+=/.test(line.trim()));
  return wrong === undefined ? undefined : `“${wrong.trim()}” is not an option. Write key=value.`;
}

/** The spec of the action set. `earlier` is the set whose artifacts are taken, as `kanctl` and `headway` do it. */
export function runSpec(
  draft: RunDraft,
  blueprint: { namespace: string; name: string },
  earlier: JsonObject | undefined,
): JsonObject {
  const { namespace, name } = blueprint;
  const own = { name: draft.action, blueprint: name, ...inputsOf(draft, namespace) };
  if (earlier === undefined) return { actions: [{ ...own, object: objectOf(draft.object) }] };
  const asked = objectsAt(earlier, 'spec', 'actions');
  const actions = objectsAt(earlier, 'status', 'actions').map((ran, at) => {
    const { secrets, configMaps, profile, options } = asked[at] ?? {};
    const object = draft.object.name === '' ? objectAt(ran, 'object') : objectOf(draft.object);
    const given = { secrets, configMaps, profile, options, artifacts: ran['artifacts'] };
    return { ...present(given), ...own, object };
  });
  return { actions };
}

function objectOf({ kind, namespace, name, group, version, resource }: ObjectDraft): JsonObject {
  if (kind === 'Namespace') return { kind, namespace: name, name };
  if (kind !== OTHER_KIND) return { kind, namespace, name };
  return { group, apiVersion: version, resource, ...(namespace === '' ? {} : { namespace }), name };
}

/** Only what was filled in, so that the rest stays as the earlier set had it. */
function inputsOf(draft: RunDraft, namespace: string): JsonObject {
  const secrets = places({ ...draft.secrets, ...linesAsPairs(draft.moreSecrets) }, namespace);
  const configMaps = places({ ...draft.configMaps, ...linesAsPairs(draft.moreConfigMaps) }, namespace);
  const options = linesAsPairs(draft.options);
  const profile = placeOf(draft.profile, namespace);
  return {
    ...(profile !== undefined && { profile }),
    ...(Object.keys(secrets).length > 0 && { secrets }),
    ...(Object.keys(configMaps).length > 0 && { configMaps }),
    ...(Object.keys(options).length > 0 && { options }),
  };
}

function places(given: Readonly<Record<string, string>>, namespace: string): JsonObject {
  return Object.fromEntries(
    Object.entries(given).flatMap(([key, text]) => {
      const place = placeOf(text, namespace);
      return place === undefined ? [] : [[key, place]];
    }),
  );
}

/** `shop/mysql`, or a name in the same namespace. */
export function placeOf(text: string, namespace: string): JsonObject | undefined {
  const parts = text.trim().split('/');
  const [first = '', second] = parts;
  if (parts.length > 2 || !parts.every(isObjectName)) return undefined;
  return second === undefined ? { namespace, name: first } : { namespace: first, name: second };
}

/** A value goes on to the end of its line. */
function linesAsPairs(text: string): Record<string, string> {
  const pairs = text.split('\n').flatMap((line): [string, string][] => {
    const cut = line.indexOf('=');
    const key = line.slice(0, Math.max(0, cut)).trim();
    return key === '' ? [] : [[key, line.slice(cut + 1).trim()]];
  });
  return Object.fromEntries(pairs);
}
