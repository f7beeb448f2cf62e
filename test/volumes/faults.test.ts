import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseLine, type MoverJob, type MoverLine } from '../../src/core/volumes/index.ts';
import { describeTree } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { PASSWORD } from './kopia-place.ts';
import { childrenOf, commandLine, MoverRuns } from './mover-runs.ts';

const need = needs('kopia');
const MIB = 1024 * 1024;
const KEEPS = { directoryTimes: false };

describe.skipIf(need.missing)(need.title('a mover'), { timeout: 120_000 }, () => {
  let runs: MoverRuns;
  beforeEach(() => {
    runs = new MoverRuns();
  });
  afterEach(() => {
    runs[Symbol.dispose]();
  });

  /** A mover that has copied something, and its output so far. */
  async function atWork(job: MoverJob): Promise<{ child: ChildProcess; said: () => string }> {
    const child = runs.movers.spawn(job);
    child.stdin!.end();
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await eventually(
      () => {
        expect(text).toMatch(/"bytesDone":[1-9]/);
      },
      { withinMs: 60_000 },
    );
    return { child, said: () => text };
  }

  const lastLine = (text: string): MoverLine | undefined => parseLine(text.trim().split('\n').at(-1) ?? '');
  const streamJob = (): MoverJob => ({ kind: 'snapshot', uploader: 'stream', id: 's-1', path: runs.volume() });

  it('without kopia says what to do', async () => {
    const { exitCode, last } = await runs.run(runs.job({ program: 'no-such-kopia' }));
    expect(exitCode).toBe(3);
    const hint = expect.stringContaining('--uploader stream') as string;
    expect(last).toMatchObject({ line: 'failed', code: 'notFound', hint });
  });

  it('with a job that is none says so, and not what was in it', async () => {
    const { exitCode, last } = await runs.run({ ...runs.job(), password: PASSWORD } as unknown as MoverJob);
    expect(exitCode).toBe(2);
    expect(last).toMatchObject({ line: 'failed', id: '', code: 'invalidConfig' });
    expect(JSON.stringify(last)).not.toContain(PASSWORD);
  });

  it('that is killed takes kopia with it, the repository stays good, and the next attempt succeeds', async () => {
    runs.fill(32, 16 * MIB);
    const end = runs.neverEnds();
    const job = runs.job();
    const { child } = await atWork(job);
    const kopia = childrenOf(child.pid!);
    expect(kopia).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // kopia's next line of progress has no reader any more.
    await eventually(
      () => {
        expect(kopia.filter((pid) => commandLine(pid) !== '')).toEqual([]);
      },
      { withinMs: 20_000 },
    );
    end();
    const { last } = await runs.run({ ...job, scratch: runs.place.directory('scratch-again') });
    expect(last).toMatchObject({ line: 'completed', bytesDone: 32 * 16 * MIB });
    expect(await runs.place.snapshots(runs.repository())).toHaveLength(1);
  });

  it('that is told to end does so within seconds, with a word, and leaves nothing', async () => {
    runs.fill(4, 16 * MIB);
    runs.neverEnds();
    const { child, said } = await atWork(runs.job());
    const kopia = childrenOf(child.pid!);
    const began = performance.now();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(code).toBe(130);
    expect(lastLine(said())).toMatchObject({ line: 'failed', code: 'canceled' });
    expect(kopia.filter((pid) => commandLine(pid) !== '')).toEqual([]);
    expect(await runs.place.snapshots(runs.repository())).toEqual([]);
  });

  it('has no secret on a command line, in kopia’s configuration or in what it prints', async () => {
    runs.fill(16, 16 * MIB);
    const job = runs.job();
    const child = runs.movers.spawn(job);
    child.stdin!.end();
    const seen: string[] = [];
    child.stderr!.on('data', (chunk: Buffer) => {
      seen.push(chunk.toString());
      for (const pid of [child.pid!, ...childrenOf(child.pid!)]) seen.push(commandLine(pid));
    });
    await once(child, 'close');
    expect(seen.some((line) => line.includes('snapshot\0create'))).toBe(true);
    seen.push(readFileSync(join(job.scratch, 'kopia.config'), 'utf8'));
    expect(seen.filter((line) => line.includes(PASSWORD))).toEqual([]);
  });

  it('prints at least once a second, and what is done never falls', async () => {
    runs.fill(48, 16 * MIB);
    const child = runs.movers.spawn(runs.job({ isVerified: true }));
    child.stdin!.end();
    const lines: { at: number; line: MoverLine }[] = [];
    let rest = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) lines.push({ at: performance.now(), line: parseLine(part)! });
    });
    await once(child, 'close');
    const done = lines.flatMap(({ line }) => ('bytesDone' in line ? [line.bytesDone] : []));
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(48 * 16 * MIB);
    const gaps = lines.slice(1).map(({ at }, index) => at - lines[index]!.at);
    // The machine may be busy with other things; a silent two seconds would be a bug all the same.
    expect(Math.max(...gaps)).toBeLessThan(2000);
  });

  it('whose archive nobody reads goes on telling, and ends when it is told to', async () => {
    runs.fill(16, 16 * MIB);
    const { child, said } = await atWork(streamJob());
    await eventually(
      () => {
        const done = said()
          .split('\n')
          .flatMap((line) => /"bytesDone":(\d+)/.exec(line)?.[1] ?? []);
        // It stands still, and still says so.
        expect(done.slice(-4)).toEqual(new Array(4).fill(done.at(-1)));
      },
      { withinMs: 30_000 },
    );
    const began = performance.now();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(130);
    expect(performance.now() - began).toBeLessThan(15_000);
  });

  it('whose reader is gone ends with a word', async () => {
    runs.fill(16, 16 * MIB);
    const child = runs.movers.spawn(streamJob());
    child.stdin!.end();
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stdout!.once('data', () => child.stdout!.destroy());
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(1);
    expect(lastLine(text)).toMatchObject({ line: 'failed' });
  });

  it('shares a repository with another at the same time', async () => {
    const names = ['one', 'two'];
    for (const name of names) runs.fill(4, 8 * MIB, name);
    expect((await runs.run(runs.job({ path: runs.place.directory('empty') }))).exitCode).toBe(0);
    const both = await Promise.all(
      names.map((name) => {
        const source = { namespace: 'shop', pod: name, volume: name };
        return runs.run(runs.job({ path: runs.volume(name), source, isPreparing: false }));
      }),
    );
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    for (const [index, name] of names.entries()) {
      const target = runs.place.directory(`${name}-target`);
      expect((await runs.run(runs.restoreJob(both[index]!, target))).exitCode).toBe(0);
      expect(describeTree(target, KEEPS)).toEqual(describeTree(runs.volume(name), KEEPS));
    }
  });

  it('is not broken by maintenance beside it', async () => {
    runs.fill(12, 16 * MIB);
    expect((await runs.run(runs.job({ path: runs.place.directory('empty') }))).exitCode).toBe(0);
    const [copied, quick, full] = await Promise.all([
      runs.run(runs.job({ isPreparing: false })),
      runs.run(runs.maintenanceJob(false)),
      runs.run(runs.maintenanceJob(true)),
    ]);
    expect([copied.exitCode, quick.exitCode, full.exitCode]).toEqual([0, 0, 0]);
    const target = runs.place.directory('target');
    expect((await runs.run(runs.restoreJob(copied, target))).exitCode).toBe(0);
    expect(describeTree(target, KEEPS)).toEqual(describeTree(runs.volume(), KEEPS));
  });
});
