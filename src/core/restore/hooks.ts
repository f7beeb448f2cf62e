import type { Restore } from '../../api/index.ts';
import { isObject, objectsAt, parseGoDuration, textAt, type JsonObject } from '../../base/index.ts';
import { annotationsOf, labelsOf, nameOf } from './fields.ts';
import { mapNamespace } from './namespace-mapping.ts';
import { sha256Hex } from '../../base/sha256.ts';
import { matchesSelector, nameFilter } from '../selection/index.ts';

type RestoreSpec = Restore['spec'];
type ResourceHook = NonNullable<NonNullable<RestoreSpec['hooks']>['resources']>[number];
type PostHook = NonNullable<ResourceHook['postHooks']>[number];

/** A command to run in a container of a restored pod once that container is running. */
export interface ExecHook {
  /** The hook's name in the spec, or `<from-annotation>`. */
  source: string;
  container: string;
  command: readonly string[];
  onError: 'Continue' | 'Fail';
  execTimeoutMs: number;
  waitTimeoutMs: number;
  waitForReady: boolean;
}

const INIT = 'init.hook.restore.velero.io';
const POST = 'post.hook.restore.velero.io';
const FROM_ANNOTATION = '<from-annotation>';
const EXEC_TIMEOUT_MS = 30_000;
const OPERATION_TIMEOUT_MS = 4 * 3_600_000;

/** The pod's annotations take precedence over the spec. The pod is still in its original namespace. */
export function initContainersFor(pod: JsonObject, spec: RestoreSpec): JsonObject[] {
  const annotated = annotatedInitContainer(pod);
  if (annotated !== undefined) return [annotated];
  return hooksFor(pod, spec).flatMap(({ hook }) => (hook.init?.initContainers ?? []).filter(isObject));
}

export function execHooksFor(pod: JsonObject, spec: RestoreSpec): ExecHook[] {
  const annotated = annotatedExecHook(pod, spec);
  if (annotated !== undefined) return [annotated];
  return hooksFor(pod, spec).flatMap(({ source, hook: { exec } }) => {
    if (exec === undefined) return [];
    const { command, container, onError, execTimeout, waitTimeout, waitForReady } = exec;
    const hook = { source, command, container, onError, execTimeout, waitTimeout };
    return [withDefaults({ ...hook, waitForReady: waitForReady === true }, pod, spec)];
  });
}

/** Text that every pod has in which a command is to be run; empty if any pod may be one. */
export function execHookMark(spec: RestoreSpec): string {
  return (spec.hooks?.resources ?? []).length > 0 ? '' : POST;
}

function hooksFor(pod: JsonObject, spec: RestoreSpec): { source: string; hook: PostHook }[] {
  const original = textAt(pod, 'metadata', 'namespace') ?? '';
  // Hooks name the namespaces that pods are restored into.
  const namespace = mapNamespace(original, spec.namespaceMapping);
  const isFor = (resource: ResourceHook): boolean =>
    nameFilter(resource.includedNamespaces, resource.excludedNamespaces).includes(namespace) &&
    (resource.labelSelector === undefined || matchesSelector(resource.labelSelector, labelsOf(pod)));
  return (spec.hooks?.resources ?? [])
    .filter(isFor)
    .flatMap(({ name, postHooks = [] }) => postHooks.map((hook) => ({ source: name, hook })));
}

function annotatedInitContainer(pod: JsonObject): JsonObject | undefined {
  const annotations = annotationsOf(pod);
  const image = annotations[`${INIT}/container-image`];
  if (image === undefined || image === '') return undefined;
  const name = annotations[`${INIT}/container-name`] ?? '';
  const command = annotations[`${INIT}/command`] ?? '';
  return {
    image,
    // Velero picks it at random; a deterministic name survives a restart of the restore.
    name: name === '' ? `velero-restore-init-${sha256Hex(nameOf(pod)).slice(0, 8)}` : name,
    ...(command === '' ? {} : { command: commandOf(command) }),
  };
}

function annotatedExecHook(pod: JsonObject, spec: RestoreSpec): ExecHook | undefined {
  const annotations = annotationsOf(pod);
  const read = (key: string): string | undefined => annotations[`${POST}/${key}`];
  const command = read('command');
  if (command === undefined || command === '') return undefined;
  const onError = read('on-error');
  return withDefaults(
    {
      source: FROM_ANNOTATION,
      command: commandOf(command),
      container: read('container'),
      onError: onError === 'Fail' || onError === 'Continue' ? onError : undefined,
      execTimeout: read('exec-timeout'),
      waitTimeout: read('wait-timeout'),
      waitForReady: read('wait-for-ready') === 'true',
    },
    pod,
    spec,
  );
}

interface GivenHook {
  source: string;
  command: readonly string[];
  container: string | undefined;
  onError: ExecHook['onError'] | undefined;
  execTimeout: string | undefined;
  waitTimeout: string | undefined;
  waitForReady: boolean;
}

function withDefaults(given: GivenHook, pod: JsonObject, spec: RestoreSpec): ExecHook {
  const [first] = objectsAt(pod, 'spec', 'containers');
  const isNamed = given.container !== undefined && given.container !== '';
  // Velero waits forever by default. A pod may have to wait for its volumes, but not longer than any other background
  // operation.
  const longest = positiveMs(spec.itemOperationTimeout) ?? OPERATION_TIMEOUT_MS;
  return {
    source: given.source,
    container: isNamed ? String(given.container) : (textAt(first ?? {}, 'name') ?? ''),
    command: given.command,
    onError: given.onError ?? 'Continue',
    execTimeoutMs: positiveMs(given.execTimeout) ?? EXEC_TIMEOUT_MS,
    waitTimeoutMs: positiveMs(given.waitTimeout) ?? longest,
    waitForReady: given.waitForReady,
  };
}

function positiveMs(duration: string | undefined): number | undefined {
  const ms = parseGoDuration(duration ?? '');
  return ms !== undefined && ms > 0 ? ms : undefined;
}

/** A JSON list of words, or else one word. */
function commandOf(text: string): string[] {
  if (!text.startsWith('[')) return [text];
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) && words.every((word) => typeof word === 'string') ? words : [text];
  } catch {
    // Not JSON after all: `[` is also the name of a program.
    return [text];
  }
}
