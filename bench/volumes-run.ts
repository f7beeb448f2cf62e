/** Processes of bench/volumes.ts, with their time and their peak of memory. */
import { spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { formatJob, type MoverJob } from '../src/core/volumes/index.ts';

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

const HEADWAY = new URL('../bin/headway', import.meta.url).pathname;
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
export function moverCommand(place: string, job: MoverJob, password: string): Command {
  const file = join(place, 'job.json');
  writeFileSync(file, formatJob(job));
  const output = join(place, 'archive.tar.zst');
  return { program: HEADWAY, args: ['mover', file], env: { KOPIA_PASSWORD: password }, output };
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
