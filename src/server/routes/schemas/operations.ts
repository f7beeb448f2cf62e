import { z } from 'zod';
import { NOUNS } from '../../../core/operations/index.ts';
import { count, free, list, text } from './words.ts';

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
    claim: text.optional(),
    attempt: count.optional(),
    reusedBytes: count.optional(),
    uploadedBytes: count.optional(),
    files: count.optional(),
    backedUp: z.strictObject({ claim: text, bytes: count.optional(), at: text.optional() }).optional(),
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

export const ChangedSchema: z.ZodType = z.strictObject({ id: text.optional(), object: free });
