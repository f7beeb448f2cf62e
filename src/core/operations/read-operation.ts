import { objectAt, objectsAt, textAt, without, type JsonObject, type ObjectRef } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { withUpstreamNames } from '../../api/meta/rename.ts';
import { isTerminal, present } from '../progress/index.ts';
import type { Adapter } from './adapter.ts';
import type { KindCounts, Operation, OperationDetail } from './operation.ts';
import { formatOperationId } from './operation-id.ts';
import { claimsWithoutData, errorCount, operationProblems, warningCount } from './problems.ts';
import { readReport } from './read-report.ts';
import { readStages, stageSteps } from './read-stages.ts';
import { aroundRunning } from './step-window.ts';
import { closingSentence } from './sentence.ts';
import { countAt, timeAt } from './status-values.ts';

export interface Seen {
  cluster: string;
  /** Milliseconds since 1970; only the length of a stall and whether a speed is still valid depend on it. */
  now: number;
}

/** Everything about one operation but what it is part of and its parts, which only the tree knows. */
export type ReadDetail = Omit<OperationDetail, 'parts' | 'partCounts'>;

/**
 * Reads an operation from its custom resource, whoever wrote it: missing fields and fields of the wrong type are left
 * out. Which operation it is part of, only the tree knows.
 */
export function readOperation(adapter: Adapter, object: KubeObject, seen: Seen): Operation {
  return readKnown(adapter, withUpstreamNames(object, adapter.renames ?? []), seen);
}

function readKnown(adapter: Adapter, object: KubeObject, { cluster, now }: Seen): Operation {
  const status = objectAt(object, 'status');
  const adapted = adapter.adapt(object, status);
  const { state } = adapted;
  const { namespace = '', name, creationTimestamp: createdAt = '' } = object.metadata;
  const hasEnded = isTerminal(state);
  const isAsked = adapter.cancel?.isAsked(object) === true;
  const operation: Operation = present({
    id: formatOperationId({ cluster, kind: adapter.type.kind, namespace, name }),
    cluster,
    noun: adapter.noun,
    ref: refOf(object),
    phase: adapted.phase,
    report: readReport(status, adapted, { now, createdAt }),
    createdAt,
    endedAt: hasEnded ? (adapted.endedAt ?? textAt(status, 'completionTimestamp')) : undefined,
    seconds: hasEnded ? secondsOf(status, adapted) : undefined,
    facts: present({
      ...adapted.facts,
      claimsWithoutData: claimsWithoutData(status),
      isCancelAsked: isAsked || undefined,
      isDeleting: object.metadata.deletionTimestamp !== undefined || adapted.facts.isDeleting || undefined,
    }),
    problems: operationProblems(status, adapted.failure),
    errors: errorCount(status, adapted.failure),
    warnings: warningCount(status),
    step: adapted.step,
  });
  const sentence = closingSentence(adapter, operation, readItemsByKind(status));
  return sentence === undefined ? operation : { ...operation, sentence };
}

/** Includes everything that only the page of this one operation needs. */
export function readDetail(adapter: Adapter, object: KubeObject, seen: Seen): ReadDetail {
  const read = withUpstreamNames(object, adapter.renames ?? []);
  const status = objectAt(read, 'status');
  const operation = readKnown(adapter, read, seen);
  const steps = adapter.steps?.(read, status) ?? stageSteps(status, operation.report.state);
  return {
    ...operation,
    stages: readStages(status),
    steps: aroundRunning(steps),
    stepsTotal: steps.length,
    itemsByKind: readItemsByKind(status),
    object: { ...object, metadata: without(object.metadata, 'managedFields') },
  };
}

function refOf({ apiVersion, kind, metadata }: KubeObject): ObjectRef {
  return present({ apiVersion, kind, namespace: metadata.namespace, name: metadata.name, uid: metadata.uid });
}

/** The stages have milliseconds, Kubernetes timestamps only seconds. */
function secondsOf(
  status: JsonObject,
  { startedAt, endedAt }: { startedAt?: string; endedAt?: string },
): number | undefined {
  const stages = readStages(status);
  const from = Date.parse(stages[0]?.startedAt ?? startedAt ?? textAt(status, 'startTimestamp') ?? '');
  const to = Date.parse(stages.at(-1)?.endedAt ?? endedAt ?? timeAt(status, 'completionTimestamp') ?? '');
  return Number.isNaN(from) || Number.isNaN(to) ? undefined : Math.max(0, (to - from) / 1000);
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
