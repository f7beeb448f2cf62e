import { z } from 'zod';

/** One file of a backup or restore: its name, and what must be in it. */
export interface Shape {
  file: (name: string) => string;
  isGzip: boolean;
  /** Of the text when it is no JSON. */
  schema: z.ZodType | RegExp;
}

const messages = z.array(z.string()).optional();
const result = z.strictObject({
  velero: messages,
  cluster: messages,
  namespaces: z.record(z.string(), z.array(z.string())).optional(),
});
const results = z.strictObject({ errors: result, warnings: result });
const resources = (name: RegExp) =>
  z.record(z.string().regex(/^([^/]+\/)?[^/]+\/[^/]+$/), z.array(z.string().regex(name)));
const LOG = /^time="[^"]+" level=\w+ msg=/;
const plain = /^[^()]+$/;
const withOutcome = /^.+\((created|updated|failed|skipped)\)$/;

const pvInfo = z.object({ reclaimPolicy: z.string(), labels: z.record(z.string(), z.string()).nullish() });
const volumeInfo = z.object({
  pvcName: z.string().optional(),
  pvcNamespace: z.string().optional(),
  pvName: z.string().optional(),
  backupMethod: z.enum(['NativeSnapshot', 'PodVolumeBackup', 'CSISnapshot']).optional(),
  snapshotDataMoved: z.boolean(),
  preserveLocalSnapshot: z.boolean(),
  skipped: z.boolean(),
  skippedReason: z.string().optional(),
  pvInfo: pvInfo.optional(),
});
const named = z.object({ apiVersion: z.string(), kind: z.string(), metadata: z.object({ name: z.string() }) });
/** Velero leaves out the type of the objects in its lists. */
const untyped = named.partial({ apiVersion: true, kind: true });
const operation = z.object({
  spec: z.object({
    operationID: z.string(),
    resourceIdentifier: z.object({ Group: z.string(), Resource: z.string() }),
  }),
  status: z.object({ phase: z.enum(['New', 'InProgress', 'Completed', 'Failed']) }),
});
const listOf = (item: z.ZodType) => z.array(item).nullable();
const gz = (ending: string, schema: Shape['schema']): Shape => ({
  file: (name) => `${name}${ending}`,
  isGzip: true,
  schema,
});
const restored = (ending: string, schema: Shape['schema']): Shape => ({
  file: (name) => `restore-${name}${ending}`,
  isGzip: true,
  schema,
});

export const FILE_SHAPES: readonly Shape[] = [
  gz('-logs.gz', LOG),
  gz('-podvolumebackups.json.gz', listOf(untyped)),
  gz('-volumesnapshots.json.gz', listOf(z.object({ spec: z.object({ backupName: z.string() }) }))),
  gz('-itemoperations.json.gz', listOf(operation)),
  gz('-resource-list.json.gz', resources(plain)),
  gz('-results.gz', results),
  gz('-volumeinfo.json.gz', listOf(volumeInfo)),
  { file: () => 'velero-backup.json', isGzip: false, schema: named },
];

export const RESTORE_SHAPES: readonly Shape[] = [
  restored('-logs.gz', LOG),
  restored('-results.gz', results),
  restored('-resource-list.json.gz', resources(withOutcome)),
  restored('-itemoperations.json.gz', listOf(operation)),
  gz('-volumeinfo.json.gz', listOf(z.object({ pvName: z.string().optional() }))),
];

export function problemsOf(schema: Shape['schema'], text: string): string[] {
  if (schema instanceof RegExp) return schema.test(text) ? [] : [`it begins with ${JSON.stringify(text.slice(0, 80))}`];
  const { error } = schema.safeParse(JSON.parse(text));
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}
