import { objectAt, objectsAt, textAt, textsAt, valueAt, without, type JsonObject } from '../../../src/base/index.ts';
import { pairsIn, pairsText } from './labels.ts';

/** What a form asks about a backup, also about the backups of a schedule. */
export interface BackupDraft {
  namespaces: string[];
  labels: string;
  ttl: string;
  /** Empty for the default one. */
  location: string;
  hook: HookDraft;
  /** Whether files of volumes are copied: as the server does it by default, all, or only those that pods ask for. */
  volumes: 'default' | 'all' | 'asked';
}

/** One command before and one after, in the pods with some labels. */
export interface HookDraft {
  labels: string;
  container: string;
  before: string;
  after: string;
  onError: 'Fail' | 'Continue';
}

const NO_HOOK: HookDraft = { labels: '', container: '', before: '', after: '', onError: 'Fail' };
const HOOK_NAME = 'form';
const SHELL = ['/bin/sh', '-c'];

export function draftOfSpec(spec: JsonObject): BackupDraft {
  const namespaces = valueAt(spec, 'includedNamespaces');
  return {
    namespaces: Array.isArray(namespaces) ? namespaces.map(String).filter((name) => name !== '*') : [],
    labels: pairsText(textsAt(spec, 'labelSelector', 'matchLabels'), '='),
    ttl: textAt(spec, 'ttl') ?? '720h0m0s',
    location: textAt(spec, 'storageLocation') ?? '',
    hook: hookOf(spec) ?? NO_HOOK,
    volumes: volumesOf(spec),
  };
}

/** Velero's flag, which is absent where the server's own default counts. */
function volumesOf(spec: JsonObject): BackupDraft['volumes'] {
  const areAll = valueAt(spec, 'defaultVolumesToFsBackup');
  return typeof areAll === 'boolean' ? (areAll ? 'all' : 'asked') : 'default';
}

/** Whether the spec has hooks that the form cannot show; they are kept as they are. */
export function hasOtherHooks(spec: JsonObject): boolean {
  return objectsAt(spec, 'hooks', 'resources').length > 0 && hookOf(spec) === undefined;
}

/** What the form does not ask about stays as it was. */
export function backupSpecOf(draft: BackupDraft, base: JsonObject): JsonObject {
  const kept = without(
    base,
    'includedNamespaces',
    'labelSelector',
    'ttl',
    'storageLocation',
    'defaultVolumesToFsBackup',
  );
  const labels = pairsIn(draft.labels, '=');
  const selector = {
    ...without(objectAt(base, 'labelSelector'), 'matchLabels'),
    ...(Object.keys(labels).length > 0 && { matchLabels: labels }),
  };
  const hooks = hasOtherHooks(base) ? {} : { hooks: hooksOf(draft.hook) };
  const spec: JsonObject = {
    ...kept,
    ...(draft.namespaces.length > 0 && { includedNamespaces: draft.namespaces }),
    ...(Object.keys(selector).length > 0 && { labelSelector: selector }),
    ttl: draft.ttl,
    ...(draft.location !== '' && { storageLocation: draft.location }),
    ...(draft.volumes !== 'default' && { defaultVolumesToFsBackup: draft.volumes === 'all' }),
    ...hooks,
  };
  return Object.keys(objectAt(spec, 'hooks')).length === 0 ? without(spec, 'hooks') : spec;
}

function hooksOf({ labels, container, before, after, onError }: HookDraft): JsonObject {
  if (before === '' && after === '') return {};
  const run = (command: string): JsonObject[] =>
    command === '' ? [] : [{ exec: { ...(container !== '' && { container }), command: [...SHELL, command], onError } }];
  const matchLabels = pairsIn(labels, '=');
  const selector = Object.keys(matchLabels).length === 0 ? {} : { labelSelector: { matchLabels } };
  return { resources: [{ name: HOOK_NAME, ...selector, pre: run(before), post: run(after) }] };
}

/** A hook as `hooksOf` writes it; undefined for any other. */
function hookOf(spec: JsonObject): HookDraft | undefined {
  const [resource, ...others] = objectsAt(spec, 'hooks', 'resources');
  if (resource === undefined || others.length > 0) return undefined;
  const [pre, post] = [objectsAt(resource, 'pre')[0], objectsAt(resource, 'post')[0]].map((each) =>
    objectAt(each, 'exec'),
  );
  const commandOf = (exec: JsonObject | undefined): string => {
    const command = valueAt(exec, 'command');
    const last = Array.isArray(command) ? command.at(-1) : undefined;
    return typeof last === 'string' ? last : '';
  };
  const exec = { ...post, ...pre };
  const draft: HookDraft = {
    labels: pairsText(textsAt(resource, 'labelSelector', 'matchLabels'), '='),
    container: textAt(exec, 'container') ?? '',
    before: commandOf(pre),
    after: commandOf(post),
    onError: textAt(exec, 'onError') === 'Continue' ? 'Continue' : 'Fail',
  };
  const written = objectsAt(hooksOf(draft), 'resources')[0];
  return JSON.stringify(written) === JSON.stringify(resource) ? draft : undefined;
}
