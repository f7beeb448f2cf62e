import { z } from 'zod';
import { free, text } from './words.ts';

export const ErrorSchema: z.ZodType = z.strictObject({
  error: z.strictObject({ code: text, message: text, hint: text.optional(), details: free.optional() }),
});
