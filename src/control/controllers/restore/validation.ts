import { Backup, BackupStorageLocation, type Restore } from '../../../api/index.ts';
import { isObjectName, labelValue, type Clock } from '../../../base/index.ts';
import { validateRestore, type RestoreFacts, type ValidatedRestore } from '../../../core/restore/index.ts';
import type { KubeClient } from '../../../edge/kube/index.ts';
import { nameProblem, restoreKeys } from '../../../edge/store/index.ts';
import { readObject } from '../../runtime/objects/index.ts';
import { readModifiers } from './rules/modifiers.ts';
import { readRestorePolicies } from './rules/policies.ts';

export interface ValidationDeps {
  kube: KubeClient;
  namespace: string;
  clock: Clock;
  signal: AbortSignal;
}

export interface Validation extends ValidatedRestore {
  /** The backup that is restored, if there are no errors. */
  backup?: Backup;
}

/**
 * Everything that is wrong with a restore, at once. Backups are read from the server and not from a cache: a backup
 * that has just completed is often restored in the same second.
 */
export async function validate(restore: Restore, deps: ValidationDeps): Promise<Validation> {
  const facts = await factsOf(restore.spec, deps);
  const validated = validateRestore(restore.spec, facts);
  const name = validated.spec.backupName;
  const known = [...(facts.backup === undefined ? [] : [facts.backup]), ...(facts.backupsOfSchedule ?? [])];
  const backup = known.find(({ metadata }) => metadata.name === name);
  if (backup === undefined) return validated;
  const problem = await locationProblem(restore.metadata.name ?? '', backup, deps);
  return { ...validated, backup, errors: [...validated.errors, ...(problem === undefined ? [] : [problem])] };
}

interface Facts extends RestoreFacts {
  backup?: Backup;
  backupsOfSchedule?: Backup[];
}

async function factsOf(spec: Restore['spec'], deps: ValidationDeps): Promise<Facts> {
  const { kube, namespace } = deps;
  const facts: Facts = {};
  const { backupName = '', scheduleName = '' } = spec;
  if (backupName !== '') {
    const backup = await readObject({ type: Backup, namespace, name: backupName }, deps, deps.signal);
    if (backup !== undefined) facts.backup = Backup.parse(backup).value;
  } else if (scheduleName !== '') {
    facts.backupsOfSchedule = [];
    const labelSelector = `velero.io/schedule-name=${labelValue(scheduleName)}`;
    // A name that no schedule can have has no backups, and cannot be requested.
    const pages = isObjectName(scheduleName)
      ? kube.list({ type: Backup, namespace }, { labelSelector, signal: deps.signal })
      : [];
    for await (const page of pages) {
      if (page.restarted) facts.backupsOfSchedule = [];
      for (const item of page.items) facts.backupsOfSchedule.push(Backup.parse(item).value);
    }
  }
  const modifiers = await readModifiers(spec, deps);
  const policies = await readRestorePolicies(spec, deps);
  return {
    ...facts,
    ...(modifiers === undefined ? {} : { modifierProblems: modifiers.problems }),
    ...(policies === undefined ? {} : { policyProblems: policies.problems }),
  };
}

async function locationProblem(restore: string, backup: Backup, deps: ValidationDeps): Promise<string | undefined> {
  const name = backup.spec.storageLocation ?? '';
  const found = await readObject({ type: BackupStorageLocation, namespace: deps.namespace, name }, deps, deps.signal);
  if (found === undefined) return `Error retrieving backup: there is no backup storage location ${name}`;
  const { spec, status } = BackupStorageLocation.parse(found).value;
  const { phase, message } = status;
  if (phase !== 'Unavailable') return nameProblem(spec.provider, restoreKeys(restore));
  const why = message === undefined || message === '' ? '' : `: ${message}`;
  return `The BSL ${name} is unavailable, cannot retrieve the backup${why}`;
}
