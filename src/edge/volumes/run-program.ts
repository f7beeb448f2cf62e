import { spawn } from 'node:child_process';
import { StringDecoder } from 'node:string_decoder';
import { AppError, messageOf } from '../../base/index.ts';
import { LineCutter } from '../../core/volumes/index.ts';
import { systemCode } from './system-code.ts';

export interface ProgramRun {
  program: string;
  /** Never a secret: everybody on the machine can read it. */
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Aborted: the program is asked to end, and made to when it does not. */
  signal: AbortSignal;
  /** Each line of what it says beside its result; a carriage return ends one as well. */
  onLine?: ((line: string) => void) | undefined;
  /** Takes its result as it comes, instead of all of it at the end; what it throws ends the program. */
  onOutput?: ((text: string) => void) | undefined;
}

export interface ProgramEnd {
  /** Undefined if it was killed. */
  exitCode: number | undefined;
  stdout: string;
  /** The last lines of what it said beside its result. */
  said: readonly string[];
}

/** Between asking and killing. kopia needs it to store the end of a pack; nobody should wait longer. */
const GRACE_MS = 5000;
const MAX_OUTPUT = 64 * 1024 * 1024;
const MAX_SAID = 20;

/** Runs a program to its end, also when it is aborted: only then nothing of it is left. */
export async function runProgram(run: ProgramRun): Promise<ProgramEnd> {
  run.signal.throwIfAborted();
  const child = spawn(run.program, run.args, { env: run.env, stdio: ['ignore', 'pipe', 'pipe'] });
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  child.once('error', reject);
  child.once('close', resolve);
  let killing: NodeJS.Timeout | undefined;
  const stop = (): void => {
    child.kill('SIGTERM');
    killing = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  run.signal.addEventListener('abort', stop, { once: true });
  const said: string[] = [];
  const onLine = (line: string): void => {
    said.push(line);
    if (said.length > MAX_SAID) said.shift();
    run.onLine?.(line);
  };
  try {
    const output = run.onOutput === undefined ? readText(child.stdout) : passText(child.stdout, run.onOutput);
    // Whoever has enough does not wait for the rest.
    output.catch(stop);
    const [stdout, , code] = await Promise.all([output, readLines(child.stderr, onLine), ended]);
    return { exitCode: code ?? undefined, stdout, said };
  } catch (error) {
    throw startError(run.program, error);
  } finally {
    clearTimeout(killing);
    run.signal.removeEventListener('abort', stop);
    // A failed start leaves them open.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

async function readText(stream: AsyncIterable<Buffer>): Promise<string> {
  const decoder = new StringDecoder('utf8');
  let text = '';
  for await (const chunk of stream) if (text.length < MAX_OUTPUT) text += decoder.write(chunk);
  return text;
}

async function passText(stream: AsyncIterable<Buffer>, onOutput: (text: string) => void): Promise<string> {
  const decoder = new StringDecoder('utf8');
  for await (const chunk of stream) onOutput(decoder.write(chunk));
  return '';
}

async function readLines(stream: AsyncIterable<Buffer>, onLine: (line: string) => void): Promise<void> {
  const decoder = new StringDecoder('utf8');
  const cutter = new LineCutter();
  for await (const chunk of stream) for (const line of cutter.push(decoder.write(chunk))) onLine(line);
  const last = cutter.end();
  if (last !== undefined) onLine(last);
}

function startError(program: string, error: unknown): AppError {
  if (error instanceof AppError) return error;
  const isMissing = systemCode(error) === 'ENOENT';
  const why = isMissing ? 'there is no such program' : messageOf(error);
  return new AppError(isMissing ? 'notFound' : 'serverError', `run ${program}: ${why}`, { cause: error });
}
