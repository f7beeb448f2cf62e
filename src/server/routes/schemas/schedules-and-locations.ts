import { z } from 'zod';
import { count, free, list, text } from './words.ts';

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
