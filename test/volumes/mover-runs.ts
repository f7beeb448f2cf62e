import { once } from 'node:events';
import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  parseLine,
  type KopiaJob,
  type KopiaRepository,
  type MoverJob,
  type MoverLine,
} from '../../src/core/volumes/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { KOPIA, KopiaPlace, PASSWORD } from './kopia-place.ts';
import { ProcessMovers } from './process-mover.ts';

const NEVER_BYTES = 2 ** 40;

export interface Ended {
  exitCode: number | undefined;
  lines: MoverLine[];
  last: MoverLine | undefined;
  text: string;
}

/** Volumes, a repository, and movers that are run one by one. */
export class MoverRuns implements Disposable {
  readonly place = new KopiaPlace();
  movers = new ProcessMovers({ password: PASSWORD });
  #uses = 0;

  repository(name = 'repository'): KopiaRepository & { path: string } {
    return { kind: 'filesystem', path: join(this.place.path, name) };
  }

  volume(name = 'volume'): string {
    return join(this.place.path, name);
  }

  fill(files: number, bytes: number, name = 'volume'): void {
    this.place.directory(name);
    for (let at = 0; at < files; at += 1) writeFileSync(join(this.volume(name), `f${at}`), content(bytes, at));
  }

  /** A file without data, which takes no room, and more minutes than any test; ends when the function is called. */
  neverEnds(): () => void {
    const path = join(this.place.directory('volume'), 'without-data');
    writeFileSync(path, '');
    truncateSync(path, NEVER_BYTES);
    return () => {
      rmSync(path);
    };
  }

  /** A snapshot of the volume, with changes. */
  job(change: Partial<Extract<KopiaJob, { kind: 'snapshot' }>> = {}): Extract<KopiaJob, { kind: 'snapshot' }> {
    return {
      kind: 'snapshot',
      id: `b-${String((this.#uses += 1)).padStart(10, '0')}`,
      path: this.place.directory('volume'),
      ...this.#kopia(),
      source: { namespace: 'shop', pod: 'db-0', volume: 'data' },
      isPreparing: true,
      ...change,
    };
  }

  restoreJob(taken: Ended, path: string, repository: KopiaRepository = this.repository()): KopiaJob {
    const { snapshotID } = taken.last as MoverLine & { snapshotID: string };
    return { kind: 'restore', id: `r-${(this.#uses += 1)}`, snapshotID, path, ...this.#kopia(), repository };
  }

  maintenanceJob(isFull: boolean): KopiaJob {
    return { kind: 'maintain', id: `m-${(this.#uses += 1)}`, isFull, ...this.#kopia() };
  }

  async run(job: MoverJob, input?: Uint8Array): Promise<Ended> {
    const child = this.movers.spawn(job);
    // One that fails does not read to the end.
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(input);
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stdout!.resume();
    const [code] = (await once(child, 'close')) as [number | null];
    const lines = text.split('\n').flatMap((line) => parseLine(line) ?? []);
    return { exitCode: code ?? undefined, lines, last: lines.at(-1), text };
  }

  #kopia() {
    const scratch = this.place.directory(`scratch-job-${(this.#uses += 1)}`);
    return { uploader: 'kopia' as const, repository: this.repository(), program: KOPIA, scratch };
  }

  [Symbol.dispose](): void {
    this.movers[Symbol.dispose]();
    this.place[Symbol.dispose]();
  }
}

/** Processes that this one started and that still run. */
export function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    // It has ended.
    return [];
  }
}

export function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has ended.
    return '';
  }
}
