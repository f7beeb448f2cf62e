import type { z } from 'zod';
import { describeIssue, valueAt, type Path } from './issue.ts';
import { isRecord } from './tidy.ts';

// One round removes a field, the next an element whose required field is now missing, and so on upwards.
const MAX_ROUNDS = 8;

export interface Tolerated<T> {
  result: z.ZodSafeParseResult<T>;
  dropped: string[];
}

/**
 * Parses, and removes from `status` what does not fit, smallest part first. Programs write the status, some of them
 * newer than us, and one odd field there must not make the whole object unreadable. Modifies `value`; issues elsewhere
 * stay in the result.
 */
export function parseTolerant<T>(schema: z.ZodType<T>, value: Record<string, unknown>): Tolerated<T> {
  const dropped: string[] = [];
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = schema.safeParse(value);
    const issues = result.error?.issues.filter(({ path }) => path[0] === 'status') ?? [];
    if (issues.length === 0) return { result, dropped };
    // Later rounds only report consequences of the first.
    if (round === 0) dropped.push(...issues.map((issue) => describeIssue(issue, value)));
    for (const issue of issues) drop(value, issue.path);
    value['status'] = compact(value['status'] ?? {});
  }
  value['status'] = {};
  return { result: schema.safeParse(value), dropped };
}

function drop(root: Record<string, unknown>, path: Path): void {
  const key = path.at(-1);
  if (key === undefined) return;
  const parent = valueAt(root, path.slice(0, -1));
  // Leave a hole instead of splicing: the other issues' indexes must stay valid until compact().
  if (Array.isArray(parent)) parent[key as number] = undefined;
  else if (isRecord(parent) && parent[key as string] !== undefined) Reflect.deleteProperty(parent, key);
  else drop(root, path.slice(0, -1));
}

function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter((item) => item !== undefined).map(compact);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, compact(field)]));
}
