/** Processes of bench/volumes.ts, with their time and their peak of memory. */
import { spawn } from 'node:child_process';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { formatJob, type MoverJob } from '../src/core/volumes/index.ts';
import { builtProgram } from '../src/main/built/program.ts';

export interface Figures {
  seconds: number;
  /** Of the process itself, from /proc while it runs. */
  peakMb: number;
  /** Of the programs that it started. */
  childPeakMb: number;
}

export interface Command {
  program: string;
  args: readonly string[];
  env?: Record<string, string>;
  /** A file for what it prints. */
  output?: string;
}

const ROOT = join(import.meta.dirname, '..');
const SAMPLE_MS = 50;

/** Runs to the end; throws when it fails. */
export async function measure({ program, args, env = {}, output }: Command): Promise<Figures> {
  const file = output === undefined ? ('ignore' as const) : openSync(output, 'w');
  const began = performance.now();
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', file, 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2000);
  });
  const peaks = { own: 0, children: 0 };
  const sampling = setInterval(() => {
    peaks.own = Math.max(peaks.own, peakOf(child.pid ?? 0));
    for (const pid of childrenOf(child.pid ?? 0)) peaks.children = Math.max(peaks.children, peakOf(pid));
  }, SAMPLE_MS);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  clearInterval(sampling);
  if (file !== 'ignore') closeSync(file);
  if (code !== 0) throw new Error(`${program} ${args.join(' ')}: exit ${String(code)}\n${said}`);
  return { seconds: (performance.now() - began) / 1000, peakMb: peaks.own, childPeakMb: peaks.children };
}

/** `headway mover` with this job, as a pod runs it. */
export async function moverCommand(place: string, job: MoverJob, password: string): Promise<Command> {
  const program = await shipped(join(place, 'headway'));
  const file = join(place, 'job.json');
  writeFileSync(file, formatJob(job));
  const output = join(place, 'archive.tar.zst');
  return { program, args: ['mover', file], env: { KOPIA_PASSWORD: password }, output };
}

/** Headway as its image has it: the programs are bundles, and nothing is kept from one start to the next. */
async function shipped(folder: string): Promise<string> {
  const program = join(folder, 'bin/headway');
  if (existsSync(program)) return program;
  mkdirSync(join(folder, 'dist'), { recursive: true });
  for (const part of ['bin', 'package.json']) cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  symlinkSync(await builtProgram(ROOT, { signal: AbortSignal.timeout(120_000) }), join(folder, 'dist/program'));
  return program;
}

export function freshDirectory(path: string): string {
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true });
  return path;
}

function peakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0) / 1024;
}

function childrenOf(pid: number): number[] {
  return readProc(`/proc/${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

function readProc(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}
