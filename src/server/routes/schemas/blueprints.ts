import { z } from 'zod';
import { count, free, list, text } from './words.ts';

const blueprint = {
  cluster: text,
  namespace: text,
  name: text,
  createdAt: text,
  actions: list(text),
  phases: count,
  errors: count,
  warnings: count,
};

export const BlueprintsSchema: z.ZodType = z.strictObject({
  blueprints: list(z.strictObject(blueprint)),
  isCut: z.boolean(),
  notes: list(text),
});

export const BlueprintSchema: z.ZodType = z.strictObject({
  ...blueprint,
  problems: list(
    z.strictObject({
      action: text.optional(),
      phase: text.optional(),
      argument: text.optional(),
      line: count.optional(),
      message: text,
      stops: z.enum(['run', 'phase', 'nothing']),
    }),
  ),
  object: free,
});
