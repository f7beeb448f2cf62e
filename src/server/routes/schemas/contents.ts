import { z } from 'zod';
import { count, ItemName, list, text } from './words.ts';

export const ContentsSchema: z.ZodType = z.strictObject({
  groups: list(z.strictObject({ namespace: text.optional(), resource: text, count })),
  items: list(z.strictObject(ItemName)),
  total: count,
  continue: text.optional(),
  problems: list(text),
});

export const ItemSchema: z.ZodType = z.strictObject({ ...ItemName, yaml: text, isMasked: z.boolean() });

const StoredVolume = z.strictObject({
  id: text,
  claim: text.optional(),
  namespace: text.optional(),
  plugin: text,
  phase: text,
  bytes: count.optional(),
  snapshot: text.optional(),
  completedAt: text.optional(),
  message: text.optional(),
});

export const VolumesSchema: z.ZodType = z.strictObject({ volumes: list(StoredVolume) });

export const VolumeFilesSchema: z.ZodType = z.strictObject({
  volume: StoredVolume,
  files: list(
    z.strictObject({
      path: text,
      type: z.enum(['file', 'link', 'symlink', 'directory']),
      bytes: count,
      mode: count,
      modifiedAt: text,
      target: text.optional(),
    }),
  ),
  continue: text.optional(),
  notes: list(text).optional(),
  listing: z.strictObject({ seconds: count, entries: count, waitsFor: text.optional() }).optional(),
});

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
