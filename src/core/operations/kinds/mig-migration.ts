import { phaseSentence, stepName } from '../../../api/migration/phases.ts';
import { migrationRenames } from '../../../api/migration/renames.ts';
import { MIG_MIGRATION } from '../../../api/resource-types.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { cleanText, objectsAt, textAt, valueAt, type JsonObject } from '../../../base/index.ts';
import { exact, present, type Measure, type OperationState } from '../../progress/index.ts';
import type { Adapter, Count } from '../adapter.ts';
import { BY_CANCELED_FIELD } from '../cancel-way.ts';
import type { Operation, OperationFacts, StepPosition } from '../operation.ts';
import { trueCondition } from '../status-values.ts';
import { migEnd, migState } from './mig-state.ts';
import { linesPercent, readLines } from './progress-lines.ts';
import { pipelineSteps, runningLines, stepPosition } from './pipeline-steps.ts';

/** Their phases are cleanup: how far that is says nothing about the migration (law 2). */
const CLEANING = ['Failed', 'Cancel'];

export const migMigrationAdapter: Adapter = {
  type: MIG_MIGRATION,
  noun: 'migration',
  group: 'migration',
  scope: 'migration',
  verbs: ['create', 'cancel', 'delete'],
  did: 'Went through',
  item: 'item',
  cancel: BY_CANCELED_FIELD,
  afterCancel: 'what it created at the destination is deleted, and the application at the source is started again',
  deletion: { consequence: 'its record goes; what it migrated stays' },
  metrics: { now: camMigrations },
  renames: migrationRenames,
  adapt: (object, status) => {
    const state = migState(status);
    const place = phasePlace(status);
    const phase = textAt(status, 'phase') ?? place?.name ?? 'New';
    return present({
      state,
      phase,
      measures: place === undefined || isCleaning(status) ? [] : [phasesDone(place)],
      percent: percentOf(status, place),
      endedAt: migEnd(status),
      current: currentOf(status, phase),
      step: stepOf(status, place),
      facts: factsOf(object, status),
    });
  },
  steps: (_object, status) => pipelineSteps(status, migState(status)),
};

/** `Step: 18/33`, with the phase's name. */
function phasePlace(status: JsonObject): StepPosition | undefined {
  const running = trueCondition(status, 'Running');
  const [, number, of] = /^Step: (\d{1,6})\/(\d{1,6})$/.exec(textAt(running, 'message') ?? '') ?? [];
  if (running === undefined || number === undefined || of === undefined) return undefined;
  const place = { number: Number(number), of: Number(of), name: textAt(running, 'reason') ?? '' };
  // MTC writes 0 for phases outside of its itinerary.
  return place.number >= 1 && place.number <= place.of ? place : undefined;
}

function phasesDone({ number, of }: StepPosition): Measure {
  return { unit: 'phases', done: number - 1, total: exact(of) };
}

/** The mean over the phases, the running one by its own progress: 18/33 with 6/9 items is 53 %. */
function percentOf(status: JsonObject, place: StepPosition | undefined): number | undefined {
  if (place === undefined || isCleaning(status)) return undefined;
  const own = linesPercent(readLines(runningLines(status))) ?? 0;
  return ((place.number - 1 + own / 100) / place.of) * 100;
}

function isCleaning(status: JsonObject): boolean {
  const isBrokenOff = ['Failed', 'Canceling', 'Canceled'].some((type) => trueCondition(status, type) !== undefined);
  return isBrokenOff || CLEANING.includes(textAt(status, 'itinerary') ?? '');
}

/** A step of the pipeline where there is one; MTC up to 1.3 had only phases. */
function stepOf(status: JsonObject, place: StepPosition | undefined): StepPosition | undefined {
  const hasPipeline = objectsAt(status, 'pipeline').length > 0;
  if (hasPipeline || place === undefined) return stepPosition(status);
  const step = textAt(status, 'step');
  return step === undefined ? place : { ...place, name: stepName(step) };
}

/** What moves, else what the phase does. */
function currentOf(status: JsonObject, phase: string): string {
  const [line] = runningLines(status);
  return cleanText(line ?? phaseSentence(phase) ?? phase);
}

function factsOf(object: KubeObject, status: JsonObject): OperationFacts {
  const isSet = (field: string): boolean => valueAt(object, 'spec', field) === true;
  return present({
    plan: textAt(object, 'spec', 'migPlanRef', 'name'),
    itinerary: textAt(status, 'itinerary'),
    migrationType: isSet('rollback') ? ('rollback' as const) : isSet('stage') ? ('stage' as const) : ('final' as const),
  });
}

/** MTC's states of its own metric; what is canceled has succeeded there. */
const CAM_STATES: Readonly<Record<OperationState, string>> = {
  pending: 'idle',
  running: 'running',
  completed: 'completed',
  partiallyFailed: 'completed',
  failed: 'failed',
  canceled: 'completed',
};

function camMigrations({ cluster, facts, report }: Operation): Count {
  const type = facts.migrationType === 'stage' ? 'stage' : 'final';
  return { name: 'cam_app_workload_migrations', labels: { cluster, type, status: CAM_STATES[report.state] } };
}
