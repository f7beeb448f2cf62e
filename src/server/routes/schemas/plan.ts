import { z } from 'zod';
import { count, ItemName, list, text } from './words.ts';

const LeftOut = list(z.strictObject({ reason: text, count, examples: list(text) }));
const Unmatched = list(z.strictObject({ field: text, name: text, message: text }));

const PlannedVolumes = list(
  z.strictObject({ claim: text, plugin: text.optional(), bytes: count.optional(), reason: text.optional() }),
);

export const SelectionSchema: z.ZodType = z.strictObject({
  validationErrors: list(text),
  unmatched: Unmatched,
  isNothing: z.boolean(),
});

const PlannedArgument = z.union([
  z.strictObject({ value: z.json() }),
  z.strictObject({ waitsFor: text }),
  z.strictObject({ problems: list(text) }),
]);

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
    volumes: PlannedVolumes.optional(),
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
    volumes: PlannedVolumes.optional(),
  }),
  z.strictObject({
    kind: z.literal('ActionSet'),
    problems: list(text),
    actions: list(
      z.strictObject({
        action: text,
        blueprint: text,
        phases: list(z.strictObject({ phase: text, function: text, arguments: z.record(text, PlannedArgument) })),
      }),
    ),
  }),
]);
