import { objectAt, objectsAt, parseGoDuration, textAt, textsAt, type JsonObject } from '../../base/index.ts';
import type { BackupSpec } from '../../api/index.ts';
import { anyGlobMatcher, matchesSelector, type ResourceNames } from '../selection/index.ts';

export type HookMoment = 'pre' | 'post';

/** A command to run in a pod, with all defaults applied. */
export interface PodHook {
  /** For logs and results: the name in the spec, or a note that it came from an annotation. */
  name: string;
  container: string;
  command: readonly string[];
  onError: 'Fail' | 'Continue';
  timeoutMs: number;
  /** Why it cannot be run; then it counts as failed. */
  problem?: string;
}

export interface PodHooks {
  pre: readonly PodHook[];
  post: readonly PodHook[];
  warnings: readonly string[];
}

type HookSpec = NonNullable<NonNullable<BackupSpec['hooks']>['resources']>[number];
type ExecHook = NonNullable<HookSpec['pre']>[number]['exec'];

const ANNOTATION = 'hook.backup.velero.io';
const DEFAULT_TIMEOUT_MS = 30_000;

/**
 * The hooks of a pod. An annotation on the pod replaces all hooks of the spec for that moment; a pod that has ended has
 * none.
 */
export function hooksForPod(pod: JsonObject, hooks: BackupSpec['hooks'], names: ResourceNames): PodHooks {
  const phase = objectAt(pod, 'status')['phase'];
  if (phase === 'Succeeded' || phase === 'Failed') return { pre: [], post: [], warnings: [] };
  const fromSpec = (hooks?.resources ?? []).filter((hook) => concerns(hook, pod, names));
  const annotations = textsAt(pod, 'metadata', 'annotations');
  const warnings: string[] = [];
  const at = (moment: HookMoment): PodHook[] => {
    // The oldest form names no moment and means before.
    const prefixes = moment === 'pre' ? [`pre.${ANNOTATION}`, ANNOTATION] : [`post.${ANNOTATION}`];
    const prefix = prefixes.find((one) => (annotations[`${one}/command`] ?? '') !== '');
    if (prefix !== undefined) {
      return [complete('<from-annotation>', annotatedHook(annotations, prefix, warnings), pod)];
    }
    return fromSpec.flatMap((hook) => (hook[moment] ?? []).map(({ exec }) => complete(hook.name, exec, pod)));
  };
  return { pre: at('pre'), post: at('post'), warnings };
}

function concerns(hook: HookSpec, pod: JsonObject, names: ResourceNames): boolean {
  const namespace = textAt(pod, 'metadata', 'namespace') ?? '';
  const resolve = (list: readonly string[] = []): string[] => list.map((name) => names.resolve(name) ?? name);
  return (
    isIn(namespace, hook.includedNamespaces, hook.excludedNamespaces) &&
    isIn('pods', resolve(hook.includedResources), resolve(hook.excludedResources)) &&
    (hook.labelSelector === undefined || matchesSelector(hook.labelSelector, textsAt(pod, 'metadata', 'labels')))
  );
}

function isIn(name: string, included: readonly string[] = [], excluded: readonly string[] = []): boolean {
  return !anyGlobMatcher(excluded)(name) && (included.length === 0 || anyGlobMatcher(included)(name));
}

function annotatedHook(annotations: Record<string, string>, prefix: string, warnings: string[]): ExecHook {
  const value = (key: string): string | undefined => annotations[`${prefix}/${key}`] || undefined;
  const container = value('container');
  const timeout = value('timeout');
  const onError = value('on-error');
  if (timeout !== undefined && parseGoDuration(timeout) === undefined) {
    warnings.push(`annotation ${prefix}/timeout: expected a duration such as 30s, got "${timeout}"; 30s is used`);
  }
  return {
    command: commandOf(value('command') ?? ''),
    ...(container === undefined ? {} : { container }),
    ...(timeout === undefined ? {} : { timeout }),
    ...(onError === 'Continue' || onError === 'Fail' ? { onError } : {}),
  };
}

/** A JSON array of strings, or else the whole text as the program. */
function commandOf(text: string): string[] {
  if (!text.startsWith('[')) return [text];
  try {
    const parsed: unknown = JSON.parse(text);
    if (Array.isArray(parsed) && parsed.every((part) => typeof part === 'string')) return parsed;
  } catch {
    // Not JSON after all; a program may have any name.
  }
  return [text];
}

function complete(name: string, exec: ExecHook, pod: JsonObject): PodHook {
  const containers = objectsAt(objectAt(pod, 'spec'), 'containers').flatMap((one) => textAt(one, 'name') ?? []);
  const container = exec.container || (containers[0] ?? '');
  const problem = containers.includes(container) ? undefined : `the pod has no container "${container}"`;
  return {
    name,
    container,
    command: exec.command,
    // Velero's manual says Fail, but 1.18 backs the pod up; the error is counted, and nothing is missing.
    onError: exec.onError ?? 'Continue',
    timeoutMs: parseGoDuration(exec.timeout ?? '') || DEFAULT_TIMEOUT_MS,
    ...(problem === undefined ? {} : { problem }),
  };
}
