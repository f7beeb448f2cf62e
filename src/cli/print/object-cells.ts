import { cleanText, formatCount, formatDuration, objectAt, textAt, valueAt } from '../../base/index.ts';
import type { Operation } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { NONE, formatMeasure, slowestMeasure, stepText } from './measures.ts';
import { stateOf, stateWords } from './state.ts';
import { ageOf, relativeTime } from './times.ts';

/** A row of a table by its headings: what is always shown, and what only `-o wide` shows. */
export interface Cells {
  cells: Readonly<Record<string, string>>;
  wide: Readonly<Record<string, string>>;
}

type Row = Cells['cells'];

/** The table of each noun whose kinds are operations. */
const BY_NOUN: Readonly<Record<Operation['noun'], (operation: Operation, now: number) => Cells>> = {
  backup: backupCells,
  restore: restoreCells,
  volume: volumeCells,
  action: actionCells,
  migration: migrationCells,
};

/** As long as a name can be. What others wrote may be longer, and a column is as wide as its widest cell. */
const MAX_CELL = 253;

export function operationCells(operation: Operation, now: number): Cells {
  const { cells, wide } = BY_NOUN[operation.noun](operation, now);
  return { cells: bounded(cells), wide: bounded(wide) };
}

function bounded(row: Row): Row {
  return Object.fromEntries(Object.entries(row).map(([heading, cell]) => [heading, cleanText(cell, MAX_CELL)]));
}

function stateCells(operation: Operation): Row {
  const { percent } = operation.report;
  return {
    STATE: `${stateOf(operation).sign} ${stateWords(operation)}`,
    DONE: percent === undefined ? NONE : `${String(percent)} %`,
  };
}

function progressCells(operation: Operation): Row {
  const items = operation.report.measures.find(({ unit }) => unit === 'items');
  return {
    ...stateCells(operation),
    ITEMS: items === undefined ? NONE : formatMeasure(items).replace(/ items?$/, ''),
  };
}

function tookCells({ seconds, report }: Operation): Row {
  return { TOOK: seconds === undefined ? NONE : formatDuration(seconds), STARTED: report.startedAt ?? NONE };
}

function tallies(operation: Operation): Row {
  return { WARNINGS: formatCount(operation.warnings), ...tookCells(operation) };
}

function backupCells(operation: Operation, now: number): Cells {
  const { facts, createdAt, errors, ref } = operation;
  return {
    cells: {
      NAME: ref.name,
      ...progressCells(operation),
      ERRORS: formatCount(errors),
      AGE: ageOf(createdAt, now),
      EXPIRES: relativeTime(facts.expiresAt, now),
    },
    wide: { ...tallies(operation), LOCATION: facts.location ?? NONE, SCHEDULE: facts.schedule ?? NONE },
  };
}

function restoreCells(operation: Operation, now: number): Cells {
  const { facts, createdAt, errors, ref, report } = operation;
  return {
    cells: {
      NAME: ref.name,
      BACKUP: facts.backup ?? (facts.schedule === undefined ? NONE : `newest of ${facts.schedule}`),
      ...progressCells(operation),
      ERRORS: formatCount(errors),
      AGE: ageOf(createdAt, now),
    },
    wide: { ...tallies(operation), FAILED: formatCount(report.counts?.failed ?? errors) },
  };
}

function volumeCells(operation: Operation, now: number): Cells {
  const { facts, createdAt, ref, report } = operation;
  const measure = slowestMeasure(report);
  return {
    cells: {
      NAME: ref.name,
      KIND: ref.kind,
      VOLUME: facts.volume ?? NONE,
      ...stateCells(operation),
      AMOUNT: measure === undefined ? NONE : formatMeasure(measure),
      LEFT: report.etaSeconds === undefined ? NONE : formatDuration(report.etaSeconds),
      BACKUP: facts.backup ?? NONE,
      AGE: ageOf(createdAt, now),
    },
    wide: {
      PHASE: operation.phase,
      PLUGIN: facts.plugin ?? NONE,
      POD: facts.pod ?? NONE,
      SNAPSHOT: facts.snapshot ?? NONE,
      ...tookCells(operation),
    },
  };
}

function actionCells(operation: Operation, now: number): Cells {
  const { facts, createdAt, errors, ref } = operation;
  const { actions = [], blueprints = [] } = facts;
  return {
    cells: {
      NAME: ref.name,
      ...stateCells(operation),
      STEP: stepText(operation, { isNamed: true }) ?? NONE,
      ACTION: `${actions[0] ?? NONE}${actions.length > 1 ? ` and ${formatCount(actions.length - 1)} more` : ''}`,
      ERRORS: formatCount(errors),
      AGE: ageOf(createdAt, now),
    },
    wide: { BLUEPRINT: blueprints.length === 0 ? NONE : blueprints.join(', '), ...tallies(operation) },
  };
}

function migrationCells(operation: Operation, now: number): Cells {
  const { facts, createdAt, errors, ref } = operation;
  return {
    cells: {
      NAME: ref.name,
      KIND: ref.kind,
      ...stateCells(operation),
      STEP: stepText(operation, { isNamed: true }) ?? NONE,
      PLAN: facts.plan ?? NONE,
      ERRORS: formatCount(errors),
      AGE: ageOf(createdAt, now),
    },
    wide: {
      TYPE: facts.migrationType ?? NONE,
      ITINERARY: facts.itinerary ?? NONE,
      PHASE: operation.phase,
      ...tallies(operation),
    },
  };
}

/** Of a kind that is no operation. */
export function objectCells(object: KubeObject, now: number): Cells {
  const cells = BY_KIND[object.kind]?.(object, now);
  return (
    cells ?? { cells: { NAME: object.metadata.name, AGE: ageOf(object.metadata.creationTimestamp, now) }, wide: {} }
  );
}

const BY_KIND: Readonly<Record<string, (object: KubeObject, now: number) => Cells>> = {
  Schedule: scheduleCells,
  BackupStorageLocation: locationCells,
};

function scheduleCells(object: KubeObject, now: number): Cells {
  const status = objectAt(object, 'status');
  const isPaused = valueAt(object, 'spec', 'paused') === true;
  const template = objectAt(object, 'spec', 'template');
  return {
    cells: {
      NAME: object.metadata.name,
      STATE: isPaused ? '○ paused' : phaseText(textAt(status, 'phase') ?? 'New'),
      SCHEDULE: textAt(object, 'spec', 'schedule') ?? NONE,
      'LAST BACKUP': relativeTime(textAt(status, 'lastBackup'), now),
      NEXT: relativeTime(textAt(status, 'nextRun'), now),
      AGE: ageOf(object.metadata.creationTimestamp, now),
    },
    wide: { TTL: textAt(template, 'ttl') ?? NONE, LOCATION: textAt(template, 'storageLocation') ?? NONE },
  };
}

function locationCells(object: KubeObject, now: number): Cells {
  const spec = objectAt(object, 'spec');
  const status = objectAt(object, 'status');
  const prefix = textAt(spec, 'objectStorage', 'prefix');
  return {
    cells: {
      NAME: object.metadata.name,
      STATE: phaseText(textAt(status, 'phase') ?? 'Unknown'),
      PROVIDER: textAt(spec, 'provider') ?? NONE,
      BUCKET: `${textAt(spec, 'objectStorage', 'bucket') ?? NONE}${prefix === undefined ? '' : `/${prefix}`}`,
      MODE: textAt(spec, 'accessMode') === 'ReadOnly' ? 'read-only' : 'read-write',
      DEFAULT: valueAt(spec, 'default') === true ? 'yes' : 'no',
      CHECKED: relativeTime(textAt(status, 'lastValidationTime'), now),
    },
    wide: { SYNCED: relativeTime(textAt(status, 'lastSyncedTime'), now), MESSAGE: textAt(status, 'message') ?? NONE },
  };
}

const PHASE_WORDS: Readonly<Record<string, string>> = {
  New: '○ new',
  Enabled: '✓ enabled',
  FailedValidation: '✕ refused',
  Available: '✓ available',
  Unavailable: '▲ unavailable',
  Unknown: '○ not checked yet',
};

/** How a schedule or a location is, with its sign. */
export function phaseText(phase: string): string {
  return PHASE_WORDS[phase] ?? phase;
}
