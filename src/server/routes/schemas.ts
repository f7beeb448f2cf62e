import { z } from 'zod';
import { GROUPS, NOUNS } from '../../core/operations/index.ts';

/**
 * The answers of core/operations/answers.ts once more, as the OpenAPI document needs them. That both say the same is
 * seen to by tests, which read what the server really answers with these.
 */
const text = z.string();
const count = z.number();
const list = <Item extends z.ZodType>(item: Item): z.ZodArray<Item> => z.array(item);
const free = z.looseObject({});

const ItemName = { resource: text, namespace: text.optional(), name: text };
const Total = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('unknown') }),
  z.strictObject({ kind: z.literal('estimate'), value: count }),
  z.strictObject({ kind: z.literal('exact'), value: count }),
]);

const Measures = list(z.strictObject({ unit: z.enum(['items', 'bytes', 'phases']), done: count, total: Total }));

const Report = z.strictObject({
  state: z.enum(['pending', 'running', 'completed', 'partiallyFailed', 'failed', 'canceled']),
  percent: z.number().min(0).max(100).optional(),
  exactPercent: z.number().min(0).max(100).optional(),
  measures: Measures,
  stage: text.optional(),
  current: text.optional(),
  ratePerSecond: count.optional(),
  etaSeconds: count.optional(),
  startedAt: text.optional(),
  lastProgressAt: text.optional(),
  stalled: z.strictObject({ sinceSeconds: count, cause: text, hint: text }).optional(),
  waits: list(z.strictObject({ cause: text, since: text })).optional(),
  counts: z.strictObject({ created: count, updated: count, skipped: count, failed: count }).optional(),
  children: list(free),
});

const operation = {
  id: text,
  cluster: text,
  noun: z.enum(NOUNS),
  ref: z.strictObject({
    apiVersion: text,
    kind: text,
    namespace: text.optional(),
    name: text,
    uid: text.optional(),
  }),
  phase: text,
  report: Report,
  createdAt: text,
  endedAt: text.optional(),
  seconds: count.optional(),
  facts: z.strictObject({
    backup: text.optional(),
    schedule: text.optional(),
    location: text.optional(),
    namespaces: list(text).optional(),
    namespaceMapping: z.record(text, text).optional(),
    expiresAt: text.optional(),
    sizeBytes: count.optional(),
    claimsWithoutData: count.optional(),
    queuePosition: count.optional(),
    volume: text.optional(),
    pod: text.optional(),
    plugin: text.optional(),
    snapshot: text.optional(),
    actions: list(text).optional(),
    blueprints: list(text).optional(),
    plan: text.optional(),
    itinerary: text.optional(),
    migrationType: z.enum(['stage', 'final', 'rollback']).optional(),
    unmatched: text.optional(),
    isNothingSelected: z.boolean().optional(),
    isCancelAsked: z.boolean().optional(),
    isDeleting: z.boolean().optional(),
  }),
  problems: list(z.strictObject({ level: z.enum(['error', 'warning']), count, text, examples: list(text) })),
  errors: count,
  warnings: count,
  step: z.strictObject({ number: count, of: count, name: text }).optional(),
  sentence: text.optional(),
  parent: text.optional(),
};
const Operation = z.strictObject(operation);

const Counts = z.strictObject({
  pending: count,
  running: count,
  completed: count,
  partiallyFailed: count,
  failed: count,
  canceled: count,
  stalled: count,
});

const Step = z.strictObject({
  number: count,
  name: text,
  state: z.enum(['Not started', 'Running', 'Completed', 'Failed', 'Canceled', 'Skipped']),
  of: text.optional(),
  isDeferred: z.boolean().optional(),
  startedAt: text.optional(),
  endedAt: text.optional(),
  percent: z.number().min(0).max(100).optional(),
  measures: Measures,
  etaSeconds: count.optional(),
  phase: text.optional(),
  phaseStartedAt: text.optional(),
  sentence: text.optional(),
  lines: list(text),
});

export const OperationDetailSchema: z.ZodType = z.strictObject({
  ...operation,
  stages: list(z.strictObject({ stage: text, startedAt: text, endedAt: text.optional() })),
  steps: list(Step),
  stepsTotal: count,
  itemsByKind: list(
    z.strictObject({
      kind: text,
      total: count.optional(),
      created: count.optional(),
      updated: count.optional(),
      skipped: count.optional(),
      failed: count.optional(),
    }),
  ),
  parts: list(Operation),
  partCounts: Counts,
  object: free,
});

export const OperationsSchema: z.ZodType = z.strictObject({
  operations: list(Operation),
  total: count,
  counts: Counts,
  continue: text.optional(),
});

export const SamplesSchema: z.ZodType = z.strictObject({
  samples: list(z.strictObject({ at: count, rate: count, stage: text })),
});

export const BackupsSchema: z.ZodType = z.strictObject({
  backups: list(Operation),
  total: count,
  continue: text.optional(),
});

export const SessionSchema: z.ZodType = z.strictObject({
  version: text,
  csrf: text.optional(),
  clusters: list(
    z.strictObject({
      name: text,
      login: z.enum(['token', 'link']),
      user: z.strictObject({ name: text, groups: list(text) }).optional(),
      namespace: text,
      isWatched: z.boolean(),
      problem: text.optional(),
      groups: list(
        z.strictObject({
          name: z.enum(GROUPS),
          isSeen: z.boolean(),
          missing: list(text),
          engine: z.strictObject({
            state: z.enum(['on', 'off', 'notChosen', 'notBuilt']),
            reason: text.optional(),
            hint: text.optional(),
          }),
        }),
      ).optional(),
    }),
  ),
});

export const ContentsSchema: z.ZodType = z.strictObject({
  groups: list(z.strictObject({ namespace: text.optional(), resource: text, count })),
  items: list(z.strictObject(ItemName)),
  total: count,
  continue: text.optional(),
  problems: list(text),
});

export const ItemSchema: z.ZodType = z.strictObject({ ...ItemName, yaml: text, isMasked: z.boolean() });

export const DiffSchema: z.ZodType = z.strictObject({
  with: text,
  added: list(z.strictObject(ItemName)),
  removed: list(z.strictObject(ItemName)),
  changed: list(
    z.strictObject({
      ...ItemName,
      fields: list(z.strictObject({ path: text, before: text.optional(), after: text.optional() })),
    }),
  ),
  equal: count,
  isCut: z.boolean(),
  counts: z.strictObject({ added: count, removed: count, changed: count }),
  problems: list(text),
});

export const VerifySchema: z.ZodType = z.strictObject({
  ok: z.boolean(),
  sha256Expected: text.optional(),
  sha256Found: text,
  entries: count,
  problems: list(text),
  warnings: list(text).optional(),
});

const LeftOut = list(z.strictObject({ reason: text, count, examples: list(text) }));
const Unmatched = list(z.strictObject({ field: text, name: text, message: text }));

export const SelectionSchema: z.ZodType = z.strictObject({
  validationErrors: list(text),
  unmatched: Unmatched,
  isNothing: z.boolean(),
});

export const PlanSchema: z.ZodType = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('Backup'),
    validationErrors: list(text),
    unmatched: Unmatched,
    warnings: list(text),
    namespaces: list(text),
    resources: list(z.strictObject({ resource: text, kind: text, count, isEstimate: z.boolean() })),
    total: count,
    leftOut: LeftOut,
  }),
  z.strictObject({
    kind: z.literal('Restore'),
    validationErrors: list(text),
    unmatched: Unmatched,
    warnings: list(text),
    backup: text,
    counts: z.strictObject({ create: count, update: count, exists: count, fail: count }),
    items: list(
      z.strictObject({ ...ItemName, action: z.enum(['create', 'update', 'exists', 'fail']), reason: text.optional() }),
    ),
    isCut: z.boolean(),
    leftOut: LeftOut,
  }),
]);

export const ChangedSchema: z.ZodType = z.strictObject({ id: text.optional(), object: free });

export const NamespacesSchema: z.ZodType = z.strictObject({ namespaces: list(text) });

export const SchedulesSchema: z.ZodType = z.strictObject({
  schedules: list(
    z.strictObject({
      cluster: text,
      namespace: text,
      name: text,
      schedule: text,
      phase: text,
      isPaused: z.boolean(),
      lastBackupAt: text.optional(),
      nextBackupAt: text.optional(),
      lastBackup: text.optional(),
      problems: list(text),
      object: free,
    }),
  ),
});

export const LocationsSchema: z.ZodType = z.strictObject({
  locations: list(
    z.strictObject({
      cluster: text,
      namespace: text,
      name: text,
      provider: text,
      bucket: text,
      prefix: text.optional(),
      isDefault: z.boolean(),
      isReadOnly: z.boolean(),
      phase: z.enum(['Available', 'Unavailable', 'Unknown']),
      message: text.optional(),
      lastValidatedAt: text.optional(),
      lastSyncedAt: text.optional(),
      backups: count,
      bytes: count,
    }),
  ),
});

export const ErrorSchema: z.ZodType = z.strictObject({
  error: z.strictObject({ code: text, message: text, hint: text.optional(), details: free.optional() }),
});
