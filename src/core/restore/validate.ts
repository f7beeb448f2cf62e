import { isObject, namespaceNameProblem, textAt } from '../../base/index.ts';
import type { Backup, Restore } from '../../api/index.ts';
import { checkToldVersion, unlessZero } from '../backup/index.ts';
import { NEVER_RESTORED } from './filters.ts';
import { globProblem, listProblems, selectorProblems, tooManyValues } from '../selection/index.ts';

type RestoreSpec = Restore['spec'];
type BackupFacts = Pick<Backup, 'metadata' | 'status'>;

/** What is known about the objects that a spec names. */
export interface RestoreFacts {
  /** The backup that the spec names, if it exists. */
  backup?: BackupFacts;
  /** All backups of the schedule that the spec names. */
  backupsOfSchedule?: readonly BackupFacts[];
  /** Problems with the ConfigMap of the spec's resource modifiers; undefined if it does not exist. */
  modifierProblems?: readonly string[];
  /** Problems with the resource policies that the spec names, also if they do not exist. */
  policyProblems?: readonly string[];
}

export interface ValidatedRestore {
  /** With defaults, to be written back. */
  spec: RestoreSpec;
  /** All of them at once. */
  errors: string[];
}

const DEFAULT_OPERATION_TIMEOUT = '4h0m0s';
const SCHEDULE_LABEL = 'velero.io/schedule-name';
const POLICIES = ['', 'none', 'update'];
/** Phases in which a backup is complete in the store. */
const RESTORABLE = ['Completed', 'PartiallyFailed'];

export function validateRestore(given: RestoreSpec, facts: RestoreFacts): ValidatedRestore {
  const tooMany = tooManyValues(given);
  if (tooMany !== undefined) return { spec: given, errors: [`spec: ${tooMany}`] };
  const spec = withDefaults(given);
  const source = sourceOf(spec, facts);
  const errors = [
    ...resourceProblems(spec),
    ...namespaceProblems(spec),
    ...selectorErrors(spec),
    ...policyProblems(spec),
    ...modifierProblems(spec, facts),
    ...resourcePolicyProblems(spec, facts),
    ...hookProblems(spec),
    ...source.errors,
  ];
  return { spec: { ...spec, ...source.spec }, errors };
}

function withDefaults(spec: RestoreSpec): RestoreSpec {
  const excluded = spec.excludedResources ?? [];
  return {
    ...spec,
    excludedResources: [...excluded, ...NEVER_RESTORED.filter((name) => !excluded.includes(name))],
    itemOperationTimeout: unlessZero(spec.itemOperationTimeout, DEFAULT_OPERATION_TIMEOUT),
  };
}

function resourceProblems({ includedResources, excludedResources }: RestoreSpec): string[] {
  const forbidden = (includedResources ?? []).filter((name) => NEVER_RESTORED.includes(name));
  return [
    ...forbidden.map((name) => `${name} are non-restorable resources`),
    ...listProblems(includedResources, excludedResources).map(
      (problem) => `Invalid included/excluded resource lists: ${problem}`,
    ),
  ];
}

function namespaceProblems({ includedNamespaces, excludedNamespaces, namespaceMapping }: RestoreSpec): string[] {
  const names = [...new Set([...(includedNamespaces ?? []), ...(excludedNamespaces ?? [])])];
  const problems = [
    ...listProblems(includedNamespaces, excludedNamespaces),
    ...names.map(globProblem).filter((problem) => problem !== undefined),
  ];
  return [
    ...problems.map((problem) => `Invalid included/excluded namespace lists: ${problem}`),
    ...Object.entries(namespaceMapping ?? {}).flatMap(([from, to]) => mappingProblem(from, to)),
  ];
}

function mappingProblem(from: string, to: string): string[] {
  if (from === '' || to === '') return [`Invalid namespace mapping "${from}:${to}": expected two names`];
  const problem = namespaceNameProblem(to);
  return problem === undefined ? [] : [`Invalid namespace mapping "${from}:${to}": ${problem}`];
}

function selectorErrors({ labelSelector, orLabelSelectors, hooks }: RestoreSpec): string[] {
  const selectors = [
    labelSelector,
    ...(orLabelSelectors ?? []),
    ...(hooks?.resources ?? []).map((r) => r.labelSelector),
  ];
  const both = labelSelector !== undefined && (orLabelSelectors ?? undefined) !== undefined;
  return [
    ...(both
      ? ['encountered labelSelector as well as orLabelSelectors in restore spec, only one can be specified']
      : []),
    ...selectors.flatMap((selector) => (selector === undefined ? [] : selectorProblems(selector))),
  ];
}

function policyProblems({ existingResourcePolicy = '' }: RestoreSpec): string[] {
  return POLICIES.includes(existingResourcePolicy)
    ? []
    : [`Invalid existingResourcePolicy "${existingResourcePolicy}": expected none or update`];
}

function modifierProblems({ resourceModifier }: RestoreSpec, facts: RestoreFacts): string[] {
  if (resourceModifier === undefined) return [];
  const { kind, name } = resourceModifier;
  if (kind.toLowerCase() !== 'configmap') return [`Resource modifiers are in a ${kind}, expected a ConfigMap`];
  if (facts.modifierProblems === undefined) return [`Resource modifiers configmap ${name} is not found`];
  return facts.modifierProblems.map(
    (problem) => `Validation error in resource modifiers configmap ${name}: ${problem}`,
  );
}

function resourcePolicyProblems(
  { resourcePolicy }: RestoreSpec,
  { policyProblems: problems = [] }: RestoreFacts,
): string[] {
  const isOther = resourcePolicy !== undefined && resourcePolicy.kind.toLowerCase() !== 'configmap';
  const all = isOther ? [`expected a reference to a ConfigMap, got ${resourcePolicy.kind}`] : problems;
  return all.map((problem) => `invalid restore resource policies: ${problem}`);
}

function hookProblems({ hooks }: RestoreSpec): string[] {
  return (hooks?.resources ?? []).flatMap(({ name, postHooks = [] }) =>
    postHooks.flatMap(({ init }) =>
      (init?.initContainers ?? [])
        .filter((container) => !isContainer(container))
        .map(() => `Restore hook ${name}: expected init containers to have a name, an image and a command`),
    ),
  );
}

function isContainer(container: unknown): boolean {
  if (!isObject(container)) return false;
  const { command } = container;
  const hasCommand = Array.isArray(command) && command.length > 0;
  return hasCommand && textAt(container, 'name') !== undefined && textAt(container, 'image') !== undefined;
}

interface Source {
  spec: Pick<RestoreSpec, 'backupName' | 'scheduleName'>;
  errors: string[];
}

function sourceOf({ backupName = '', scheduleName = '' }: RestoreSpec, facts: RestoreFacts): Source {
  const refuse = (error: string): Source => ({ spec: {}, errors: [error] });
  if ((backupName === '') === (scheduleName === '')) {
    return refuse('Either a backup or schedule must be specified as a source for the restore, but not both');
  }
  if (scheduleName !== '') {
    const backups = facts.backupsOfSchedule ?? [];
    const newest = newestCompleted(backups);
    if (newest === undefined) {
      // Velero reports both when there are none at all.
      const none = backups.length === 0 ? [`No backups found for schedule ${scheduleName}`] : [];
      return { spec: {}, errors: [...none, `No completed backups found for schedule ${scheduleName}`] };
    }
    return { spec: { backupName: newest.metadata.name }, errors: versionProblems(newest) };
  }
  const { backup } = facts;
  if (backup === undefined) return refuse(`Error retrieving backup: there is no backup ${backupName}`);
  const phase = backup.status.phase ?? 'New';
  if (!RESTORABLE.includes(phase)) {
    return refuse(`Backup ${backupName} is ${phase}, expected ${RESTORABLE.join(' or ')}`);
  }
  // Written back for users who list restores by schedule.
  const schedule = backup.metadata.labels?.[SCHEDULE_LABEL];
  return { spec: schedule === undefined ? {} : { scheduleName: schedule }, errors: versionProblems(backup) };
}

function versionProblems({ metadata, status }: BackupFacts): string[] {
  const { problem } = checkToldVersion(status);
  return problem === undefined ? [] : [`Backup ${metadata.name} cannot be restored: ${problem}`];
}

/** The backup that a restore from a schedule means. */
export function newestCompleted(backups: readonly BackupFacts[]): BackupFacts | undefined {
  const startOf = ({ status }: BackupFacts): number => Date.parse(status.startTimestamp ?? '') || 0;
  return backups
    .filter(({ status }) => status.phase === 'Completed')
    .reduce<BackupFacts | undefined>(
      (newest, backup) => (newest === undefined || startOf(backup) > startOf(newest) ? backup : newest),
      undefined,
    );
}
