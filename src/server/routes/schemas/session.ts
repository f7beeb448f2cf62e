import { z } from 'zod';
import { GROUPS } from '../../../core/operations/index.ts';
import { list, text } from './words.ts';

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

export const NamespacesSchema: z.ZodType = z.strictObject({ namespaces: list(text) });
