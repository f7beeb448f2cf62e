import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import type { Socket } from 'node:net';
import { constants } from 'node:os';
import type { Readable } from 'node:stream';
import { AppError, messageOf } from '../../../base/index.ts';
import type { Pipe, Pipes } from './pipes.ts';

export interface SpawnOptions {
  /** The program and its arguments. */
  words: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd?: string;
  /** Without it the input is empty. */
  hasInput: boolean;
  /** On a terminal there is only one output. */
  hasErrors: boolean;
  /**
   * A third stream, by which a launcher says how far it is, on its descriptors 2 and 3. Its descriptor 4 is then what the
   * errors of the process are to be.
   */
  hasReport?: boolean;
}

export interface Spawned {
  child: ChildProcess;
  input: Socket | undefined;
  output: Readable;
  errors: Readable | undefined;
  report: Readable | undefined;
  /** Rejects when there was no such program. */
  ended: Promise<Exit>;
}

export interface Exit {
  /** As a shell would say it: 128 and the number of the signal where one ended the process. */
  code: number;
}

/** Starts a program with real pipes, in a session of its own, so that Ctrl-C in our terminal does not reach it. */
export async function spawnPiped(pipes: Pipes, options: SpawnOptions): Promise<Spawned> {
  const opened: Pipe[] = [];
  const open = async (isWanted: boolean, kind: 'forInput' | 'forOutput'): Promise<Pipe | undefined> => {
    if (!isWanted) return undefined;
    const pipe = await pipes[kind]();
    opened.push(pipe);
    return pipe;
  };
  try {
    const input = await open(options.hasInput, 'forInput');
    const output = await open(true, 'forOutput');
    const errors = await open(options.hasErrors, 'forOutput');
    const report = await open(options.hasReport === true, 'forOutput');
    if (output === undefined) throw new AppError('bug', 'a process without output');
    const own = (errors ?? output).descriptor;
    const rest = report === undefined ? [own] : [report.descriptor, report.descriptor, own];
    const child = start(options, [input?.descriptor ?? 'ignore', output.descriptor, ...rest]);
    // A process may leave its input unread, which is no failure of ours.
    input?.stream.on('error', () => undefined);
    const streams = { input: input?.stream, output: output.stream, errors: errors?.stream, report: report?.stream };
    return { child, ...streams, ended: endOf(child) };
  } catch (error) {
    for (const { stream } of opened) stream.destroy();
    throw error;
  } finally {
    for (const { descriptor } of opened) closeSync(descriptor);
  }
}

function start({ words, env, cwd }: SpawnOptions, stdio: ('ignore' | number)[]): ChildProcess {
  const [program = '', ...args] = words;
  try {
    return spawn(program, args, { env, stdio, detached: true, ...(cwd === undefined ? {} : { cwd }) });
  } catch (error) {
    // A line that is too long is refused at once; what is missing is told later.
    throw new AppError('invalid', `starting ${program} failed: ${messageOf(error)}`, { cause: error });
  }
}

function endOf(child: ChildProcess): Promise<Exit> {
  const ended = new Promise<Exit>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      resolve({ code: code ?? 128 + signalNumber(signal) });
    });
  });
  // Whoever looks later still sees it.
  ended.catch(() => undefined);
  return ended;
}

function signalNumber(signal: NodeJS.Signals | null): number {
  return signal === null ? 0 : constants.signals[signal];
}
