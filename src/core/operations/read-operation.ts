import { objectAt, objectsAt, textAt, without, type JsonObject, type ObjectRef } from '../../base/index.ts';
import { STAGES, type Stage } from '../../api/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import {
  exact,
  fromStatusProgress,
  isTerminal,
  present,
  type Measure,
  type Report,
  type Waiting,
} from '../progress/index.ts';
import type { Adapted, Adapter } from './adapter.ts';
import { reportAt } from './at-moment.ts';
import type { KindCounts, Operation, OperationDetail, StageTime } from './operation.ts';
import { formatOperationId } from './operation-id.ts';
import { claimsWithoutData, statusProblems, TURN_CONDITIONS, warningCount } from './problems.ts';
import { closingSentence } from './sentence.ts';
import { countAt } from './velero-status.ts';

export interface Seen {
  cluster: string;
  /** Milliseconds since 1970; only the length of a stall and whether a speed is still valid depend on it. */
  now: number;
}

/**
 * Reads an operation from its custom resource, whoever wrote it: missing fields and fields of the wrong type are left
 * out.
 */
export function readOperation(adapter: Adapter, object: KubeObject, seen: Seen): Operation {
  const status = objectAt(object, 'status');
  const adapted = adapter.adapt(object);
  const { namespace = '', name } = object.metadata;
  const idOf = (kind: string, of: string): string =>
    formatOperationId({ cluster: seen.cluster, kind, namespace, name: of });
  const operation: Operation = present({
    id: idOf(adapter.type.kind, name),
    cluster: seen.cluster,
    ref: refOf(object),
    phase: textAt(status, 'phase') ?? 'New',
    report: reportOf(status, adapted, seen.now),
    createdAt: object.metadata.creationTimestamp ?? '',
    endedAt: isTerminal(adapted.state) ? textAt(status, 'completionTimestamp') : undefined,
    seconds: isTerminal(adapted.state) ? secondsOf(status) : undefined,
    facts: present({ ...adapted.facts, claimsWithoutData: claimsWithoutData(status) }),
    problems: statusProblems(status),
    errors: countAt(status, 'errors') ?? 0,
    warnings: warningCount(status),
    parent: adapted.parent === undefined ? undefined : idOf(adapted.parent.kind, adapted.parent.name),
  });
  const sentence = closingSentence(adapter.did, operation, readItemsByKind(status));
  return sentence === undefined ? operation : { ...operation, sentence };
}

/** Includes everything that only the page of this one operation needs. */
export function readDetail(adapter: Adapter, object: KubeObject, seen: Seen): Omit<OperationDetail, 'parts'> {
  const status = objectAt(object, 'status');
  return {
    ...readOperation(adapter, object, seen),
    stages: readStages(status),
    itemsByKind: readItemsByKind(status),
    object: { ...object, metadata: without(object.metadata, 'managedFields') },
  };
}

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return present({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name, uid: metadata.uid });
}

function reportOf(status: JsonObject, { state, items }: Adapted, now: number): Report {
  const progress = objectAt(status, 'progress');
  const known = present({ state, items, startedAt: textAt(status, 'startTimestamp') });
  const waits = state === 'running' ? readWaits(status) : state === 'pending' ? turnWaits(status) : [];
  const told = { ...fromStatusProgress(progress, known), ...(waits.length === 0 ? {} : { waits }) };
  const report = hasGoneThrough(state) ? { ...told, measures: told.measures.map(withoutEstimate) } : told;
  if (isTerminal(state) && state !== 'completed' && hasAchievedNothing(report)) return omitPercent(report);
  const stalled = state === 'running' ? stalledOf(status, report, now) : undefined;
  return stalled === undefined ? reportAt(report, now) : { ...report, stalled };
}

/** 99 % beside a restore of which nothing is there would say the opposite of what is so. */
function hasAchievedNothing({ measures, counts }: Report): boolean {
  const items = measures.find(({ unit }) => unit === 'items');
  return items !== undefined && items.done <= (counts?.failed ?? 0);
}

function omitPercent({ percent: _, ...report }: Report): Report {
  return report;
}

function readWaits(status: JsonObject): Waiting[] {
  return objectsAt(status, 'waits').flatMap((entry) => {
    const [cause, since] = [textAt(entry, 'cause'), textAt(entry, 'since')];
    return cause === undefined || since === undefined ? [] : [{ cause, since }];
  });
}

/** What one that has not begun waits for: the conditions that the controllers write while it is not its turn. */
function turnWaits(status: JsonObject): Waiting[] {
  return objectsAt(status, 'conditions').flatMap((each) => {
    if (textAt(each, 'status') !== 'True' || !TURN_CONDITIONS.includes(textAt(each, 'type') ?? '')) return [];
    const [cause, since] = [textAt(each, 'message'), textAt(each, 'lastTransitionTime')];
    return cause === undefined || since === undefined ? [] : [{ cause, since }];
  });
}

function hasGoneThrough(state: Report['state']): boolean {
  return state === 'completed' || state === 'partiallyFailed';
}

/** At the end, what was done is what there was to do. */
function withoutEstimate(measure: Measure): Measure {
  return measure.total.kind === 'estimate' ? { ...measure, total: exact(measure.total.value) } : measure;
}

function stalledOf(status: JsonObject, report: Report, now: number): Report['stalled'] {
  const condition = objectsAt(status, 'conditions').find(
    (each) => textAt(each, 'type') === 'Stalled' && textAt(each, 'status') === 'True',
  );
  if (condition === undefined) return undefined;
  const since = Date.parse(report.lastProgressAt ?? textAt(condition, 'lastTransitionTime') ?? '');
  // The condition's message is the cause and the hint; OperationRun writes it.
  const message = textAt(condition, 'message') ?? '';
  const cut = message.lastIndexOf('; ');
  return {
    sinceSeconds: Number.isNaN(since) ? 0 : Math.max(0, Math.floor((now - since) / 1000)),
    cause: cut < 0 ? message : message.slice(0, cut),
    hint: cut < 0 ? '' : message.slice(cut + 2),
  };
}

/** The stages have milliseconds, Kubernetes timestamps only seconds. */
function secondsOf(status: JsonObject): number | undefined {
  const stages = readStages(status);
  const from = Date.parse(stages[0]?.startedAt ?? textAt(status, 'startTimestamp') ?? '');
  const to = Date.parse(stages.at(-1)?.endedAt ?? textAt(status, 'completionTimestamp') ?? '');
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : Math.max(0, (to - from) / 1000);
}

function readStages(status: JsonObject): StageTime[] {
  return objectsAt(status, 'stages').flatMap((entry) => {
    const [stage, startedAt] = [textAt(entry, 'stage'), textAt(entry, 'startedAt')];
    if (!isStage(stage) || startedAt === undefined) return [];
    return [present({ stage, startedAt, endedAt: textAt(entry, 'endedAt') })];
  });
}

function isStage(text: string | undefined): text is Stage {
  return (STAGES as readonly (string | undefined)[]).includes(text);
}

function readItemsByKind(status: JsonObject): KindCounts[] {
  return objectsAt(status, 'itemsByKind').flatMap((entry) => {
    const kind = textAt(entry, 'kind');
    if (kind === undefined) return [];
    const count = (field: string): number | undefined => countAt(entry, field);
    return [
      present({
        kind,
        total: count('total'),
        created: count('created'),
        updated: count('updated'),
        skipped: count('skipped'),
        failed: count('failed'),
      }),
    ];
  });
}
