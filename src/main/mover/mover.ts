import { readFileSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError, messageOf, type Clock } from '../../base/index.ts';
import { formatLine, parseJob, type KopiaJob, type MoverJob, type MoverLine } from '../../core/volumes/index.ts';
import {
  failureOf,
  KopiaPlugin,
  runJob,
  StreamPlugin,
  type KopiaSecrets,
  type MoverPlugin,
} from '../../edge/volumes/index.ts';
import { stdioArchives, type Stdio } from './stdio-archives.ts';

export interface MoverProcess extends Stdio {
  /** Lines go here: what it makes may go to the standard output. */
  stderr: { write(text: string): unknown };
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  signal: AbortSignal;
}

const MAX_JOB_BYTES = 1024 * 1024;
const MAX_SECRET_BYTES = 64 * 1024;
/** kopia alone reads as many as it has processors, and few of them stand still while the store takes what was read. */
const LEAST_FILES_AT_ONCE = 4;

/**
 * The mover: one program beside one volume, with one job that it reads from a file. It knows no cluster and no other
 * volume. Returns the exit code.
 */
export async function runMover(file: string, host: MoverProcess): Promise<number> {
  const write = (line: MoverLine): void => {
    host.stderr.write(formatLine(line));
  };
  let job: MoverJob;
  let plugin: MoverPlugin;
  try {
    job = parseJob(readSmall(file, MAX_JOB_BYTES));
    plugin = pluginFor(job, host);
  } catch (error) {
    const { code, message, facts } = failureOf(error, host.signal);
    write({ line: 'failed', id: '', code, message });
    return facts.exitCode;
  }
  const { clock, signal } = host;
  const print = (list: AsyncIterable<Uint8Array>) => stdioArchives(host).put('', list, { signal });
  return await runJob(job, { plugin, write, print, clock, signal });
}

function pluginFor(job: MoverJob, host: MoverProcess): MoverPlugin {
  if (job.uploader === 'stream') {
    return new StreamPlugin({ store: stdioArchives(host), keyOf: (id) => id, scratch: tmpdir() });
  }
  const { program, repository, scratch } = job;
  const deps = { program, repository, scratch, secrets: secretsOf(job, host.env), env: host.env };
  switch (job.kind) {
    case 'snapshot': {
      const parallel = job.parallel ?? Math.max(LEAST_FILES_AT_ONCE, availableParallelism());
      return new KopiaPlugin(deps, { isPreparing: job.isPreparing, parallel });
    }
    case 'restore':
      return new KopiaPlugin(deps, { parallel: job.parallel, ignoresOwners: job.ignoresOwners });
    default:
      return new KopiaPlugin(deps);
  }
}

/** From the files of the job's directory; each that is not there, from the environment. */
function secretsOf(job: KopiaJob, env: MoverProcess['env']): KopiaSecrets {
  const read = (name: string, variable: string): string | undefined => {
    const path = job.secrets === undefined ? undefined : join(job.secrets, name);
    const isThere = path !== undefined && statSync(path, { throwIfNoEntry: false }) !== undefined;
    const value = isThere ? readSmall(path, MAX_SECRET_BYTES).trim() : env[variable];
    return value === '' ? undefined : value;
  };
  const password = read('password', 'KOPIA_PASSWORD');
  if (password === undefined) {
    throw new AppError('invalidConfig', 'run a mover: the password of the kopia repository is missing');
  }
  return {
    password,
    accessKeyId: read('accessKeyId', 'AWS_ACCESS_KEY_ID'),
    secretAccessKey: read('secretAccessKey', 'AWS_SECRET_ACCESS_KEY'),
    sessionToken: read('sessionToken', 'AWS_SESSION_TOKEN'),
    caCert: read('caCert', 'HEADWAY_CA_CERT'),
  };
}

function readSmall(path: string, maxBytes: number): string {
  try {
    const { size } = statSync(path);
    if (size <= maxBytes) return readFileSync(path, 'utf8');
  } catch (error) {
    throw new AppError('invalidConfig', `read ${path} for a mover: ${messageOf(error)}`, { cause: error });
  }
  throw new AppError('tooLarge', `read ${path} for a mover: expected at most ${maxBytes} bytes`);
}
