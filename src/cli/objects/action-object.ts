import { AppError, objectsAt, textAt, type JsonObject } from '../../base/index.ts';
import { present } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';

/** What `headway action create` was told. */
export interface ActionFlags {
  action?: string;
  blueprint?: string;
  object?: string[];
  from?: string;
  profile?: string;
  options?: Record<string, string>;
  secrets?: Record<string, string>;
  configMaps?: Record<string, string>;
  podLabels?: Record<string, string>;
  podAnnotations?: Record<string, string>;
  ttl?: string;
}

/** The spec of a new set. Throws `usage` for what does not fit together. */
export function actionSpec(flags: ActionFlags, namespace: string, parent?: KubeObject): JsonObject {
  const actions = parent === undefined ? newActions(flags, namespace) : inherited(flags, namespace, parent);
  const { ttl } = flags;
  if (ttl === undefined) return { actions };
  if (!/^\d{1,9}$/.test(ttl)) throw new AppError('usage', `--ttl: expected seconds, got "${ttl}"`);
  return { actions, ttlSecondsAfterFinished: Number(ttl) };
}

function newActions(flags: ActionFlags, namespace: string): JsonObject[] {
  const { action, blueprint, object = [] } = flags;
  if (action === undefined || blueprint === undefined || object.length === 0) {
    throw new AppError('usage', 'say what to run: --action, --blueprint and --object, or --from an earlier action set');
  }
  return object.map((text) => ({ name: action, blueprint, object: objectOf(text), ...inputs(flags, namespace) }));
}

/** As kanctl does it: object, Blueprint and artifacts of what ran, the rest of what was asked for. */
function inherited(flags: ActionFlags, namespace: string, parent: KubeObject): JsonObject[] {
  const { name } = parent.metadata;
  if (textAt(parent, 'status', 'state') !== 'complete') {
    throw new AppError('usage', `action set "${name}" is not complete: only then are its artifacts there`);
  }
  if (flags.action === undefined) throw new AppError('usage', '--from needs the --action to run');
  const asked = objectsAt(parent, 'spec', 'actions');
  const objects = flags.object?.map(objectOf);
  return objectsAt(parent, 'status', 'actions').flatMap((ran, index) => {
    const { secrets, configMaps, profile, options } = asked[index] ?? {};
    return (objects ?? [ran['object'] as JsonObject]).map((object) => ({
      ...present({ secrets, configMaps, profile, options, artifacts: ran['artifacts'] }),
      ...{ name: flags.action, blueprint: flags.blueprint ?? ran['blueprint'], object },
      ...inputs(flags, namespace),
    }));
  });
}

function inputs(flags: ActionFlags, namespace: string): JsonObject {
  const { profile, options, secrets, configMaps, podLabels, podAnnotations } = flags;
  return present({
    profile: profile === undefined ? undefined : placeOf(profile, namespace, '--profile'),
    ...{ options, podLabels, podAnnotations },
    secrets: secrets === undefined ? undefined : places(secrets, namespace, '--secrets'),
    configMaps: configMaps === undefined ? undefined : places(configMaps, namespace, '--config-maps'),
  });
}

function places(given: Record<string, string>, namespace: string, flag: string): JsonObject {
  return Object.fromEntries(Object.entries(given).map(([key, text]) => [key, placeOf(text, namespace, flag)]));
}

function placeOf(text: string, namespace: string, flag: string): JsonObject {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2 || first === '')
    throw new AppError('usage', `${flag}: expected [namespace/]name, got "${text}"`);
  return second === undefined ? { namespace, name: first } : { namespace: first, name: second };
}

/** `deployment/shop/web`, `namespace/shop`, `apps/v1/daemonsets/shop/agent`. */
export function objectOf(text: string): JsonObject {
  const parts = text.split('/');
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = parts;
  if (parts.length === 2 && first.toLowerCase() === 'namespace')
    return { kind: 'Namespace', namespace: second, name: second };
  if (parts.length === 3) return { kind: first, namespace: second, name: third };
  if (parts.length === 5) return { group: first, apiVersion: second, resource: third, namespace: fourth, name: fifth };
  throw new AppError(
    'usage',
    `--object: expected KIND/NAMESPACE/NAME, namespace/NAME or GROUP/VERSION/RESOURCE/NAMESPACE/NAME, got "${text}"`,
  );
}
