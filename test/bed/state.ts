import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

type Environment = Readonly<Record<string, string | undefined>>;

const processId = z.object({ pid: z.number(), startTime: z.string() });

const clusterFacts = z.object({
  /** Also the name of its context. */
  name: z.string(),
  server: z.string(),
  kubeconfig: z.string(),
  token: z.string(),
  node: z.boolean(),
});

const s3Facts = z.object({
  endpoint: z.string(),
  region: z.string(),
  accessKey: z.string(),
  secretKey: z.string(),
  bucket: z.string(),
  /** Objects can be looked at as files below `<directory>/<bucket>`. */
  directory: z.string(),
});

const bedState = z.object({
  name: z.string(),
  phase: z.enum(['starting', 'up']),
  /** Whether the bed may outlive the process that started it. */
  keep: z.boolean(),
  starter: processId,
  processes: z.array(processId.extend({ name: z.string(), log: z.string() })),
  clusters: z.array(clusterFacts),
  s3: s3Facts.optional(),
  velero: z.boolean(),
});

export type S3Facts = z.infer<typeof s3Facts>;
export type BedState = z.infer<typeof bedState>;

/** Where beds keep their state, one folder each. */
export function homeDirectory(env: Environment = process.env): string {
  if (env['HEADWAY_BED_HOME']) return env['HEADWAY_BED_HOME'];
  return join(env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'headway', 'bed');
}

/** Undefined where there is no bed, or none that can be read. */
export function readState(directory: string): BedState | undefined {
  let text: string;
  try {
    text = readFileSync(join(directory, 'bed.json'), 'utf8');
  } catch {
    return undefined; // No bed there.
  }
  try {
    return bedState.parse(JSON.parse(text));
  } catch {
    return undefined; // Written by another version: as good as no bed, the caller cleans it by its mark.
  }
}

/** Synchronous and by rename, so that a process is on disk before the next line runs and never half written. */
export function writeState(directory: string, state: BedState): void {
  mkdirSync(directory, { recursive: true });
  const temporary = join(directory, '.bed.json');
  // The file holds keys.
  writeFileSync(temporary, JSON.stringify(state, null, 2), { mode: 0o600 });
  renameSync(temporary, join(directory, 'bed.json'));
}
