import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  parseLine,
  type KopiaJob,
  type KopiaRepository,
  type MoverJob,
  type MoverLine,
} from '../../src/core/volumes/index.ts';
import { content, describeTree } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { KOPIA, KopiaPlace, PASSWORD } from './kopia-place.ts';
import { ProcessMovers, PROGRAM } from './process-mover.ts';

const need = needs('kopia');
const MIB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
const noMount = isRoot ? '' : ' (skipped: only root may mount)';

interface Ended {
  exitCode: number | undefined;
  lines: MoverLine[];
  last: MoverLine | undefined;
  text: string;
}

describe.skipIf(need.missing)(need.title('what can go wrong with a mover'), { timeout: 120_000 }, () => {
  let place: KopiaPlace;
  let movers: ProcessMovers;
  let uses = 0;
  const repository = (name = 'repository'): KopiaRepository & { path: string } => ({
    kind: 'filesystem',
    path: join(place.path, name),
  });
  const job = (change: Partial<KopiaJob> = {}): KopiaJob =>
    ({
      kind: 'snapshot',
      uploader: 'kopia',
      id: `b-${String((uses += 1)).padStart(10, '0')}`,
      path: place.directory('volume'),
      repository: repository(),
      program: KOPIA,
      scratch: place.directory(`scratch-job-${uses}`),
      source: { namespace: 'shop', pod: 'db-0', volume: 'data' },
      isPreparing: true,
      ...change,
    }) as KopiaJob;
  const fill = (files: number, bytes: number, folder = 'volume'): void => {
    place.directory(folder);
    for (let at = 0; at < files; at += 1) writeFileSync(join(place.path, folder, `f${at}`), content(bytes, at));
  };
  const run = async (what: MoverJob, input?: Uint8Array): Promise<Ended> => {
    const child = movers.spawn(what);
    // One that fails does not read to the end.
    child.stdin!.on('error', () => undefined);
    child.stdin!.end(input);
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stdout!.resume();
    const [code] = (await once(child, 'close')) as [number | null];
    const lines = text.split('\n').flatMap((line) => parseLine(line) ?? []);
    return { exitCode: code ?? undefined, lines, last: lines.at(-1), text };
  };

  beforeEach(() => {
    place = new KopiaPlace();
    movers = new ProcessMovers({ password: PASSWORD });
  });
  afterEach(() => {
    movers[Symbol.dispose]();
    place[Symbol.dispose]();
  });

  describe('a repository', () => {
    beforeEach(async () => {
      fill(4, 100_000);
      expect((await run(job())).exitCode).toBe(0);
    });

    it('with another password', async () => {
      movers[Symbol.dispose]();
      movers = new ProcessMovers({ password: 'guessed-and-not-known' });
      const { exitCode, last, text } = await run(job());
      expect(last).toMatchObject({ line: 'failed', code: 'unauthenticated' });
      expect(last).toMatchObject({ message: expect.stringContaining('velero-repo-credentials') as string });
      expect(exitCode).toBe(4);
      expect(text).not.toContain('guessed');
    });

    it('that somebody upgrades', async () => {
      // The oldest format is the only one that can still be upgraded.
      rmSync(repository().path, { recursive: true });
      mkdirSync(repository().path);
      const env = { ...process.env, KOPIA_PASSWORD: PASSWORD, HOME: place.path, KOPIA_UPGRADE_LOCK_ENABLED: '1' };
      const config = `--config-file=${join(place.path, 'upgrade.config')}`;
      const kopia = (...args: string[]) => execFileSync(KOPIA, [config, ...args], { env, stdio: 'pipe' });
      kopia('repository', 'create', 'filesystem', `--path=${repository().path}`, '--format-version=2');
      kopia('repository', 'upgrade', 'begin', '--upgrade-owner-id=me', '--io-drain-timeout=1h', '--lock-only');
      const { last } = await run(job());
      expect(last).toMatchObject({ line: 'failed', code: 'conflict' });
    });

    it('of a newer kopia', async () => {
      const env = { ...process.env, KOPIA_PASSWORD: PASSWORD, HOME: place.path, KOPIA_TESTONLY_FLAGS: '1' };
      const config = `--config-file=${join(place.path, 'newer.config')}`;
      const kopia = (...args: string[]) => execFileSync(KOPIA, [config, ...args], { env, stdio: 'pipe' });
      kopia('repository', 'connect', 'filesystem', `--path=${repository().path}`, '--no-check-for-updates');
      kopia('repository', 'set-parameters', '--add-required-feature=time-travel');
      const { last } = await run(job());
      expect(last).toMatchObject({ line: 'failed', code: 'unsupported' });
      expect(last).toMatchObject({ message: expect.stringContaining('time-travel') as string });
    });

    it.each<[string, RegExp, string]>([
      ['the description', /^kopia\.repository/, 'what is there is no repository, and not empty either'],
      ['what the snapshots are', /^q/, 'a part of the repository is missing'],
    ])('without %s', async (_, pattern, message) => {
      for (const name of readdirSync(repository().path)) {
        if (pattern.test(name)) rmSync(join(repository().path, name), { recursive: true });
      }
      const { last } = await run(job());
      expect(last).toMatchObject({
        line: 'failed',
        code: 'invalid',
        message: expect.stringContaining(message) as string,
      });
    });

    it('without the data of earlier snapshots is noticed by a verification', async () => {
      for (const name of readdirSync(repository().path)) {
        if (name.startsWith('p')) rmSync(join(repository().path, name), { recursive: true });
      }
      const { last } = await run(job({ isVerified: true }));
      expect(last).toMatchObject({ line: 'failed', code: 'invalid' });
      // Nothing that could be taken for a good snapshot stays.
      expect(await place.snapshots(repository())).toHaveLength(1);
    });

    it('that is gone', async () => {
      rmSync(repository().path, { recursive: true });
      const { last } = await run(job({ isPreparing: false }));
      expect(last).toMatchObject({ line: 'failed', code: 'notFound' });
    });
  });

  it('a kopia that is not there', async () => {
    const { exitCode, last } = await run(job({ program: 'no-such-kopia' }));
    expect(exitCode).toBe(3);
    expect(last).toMatchObject({
      line: 'failed',
      code: 'notFound',
      hint: expect.stringContaining('--uploader stream') as string,
    });
  });

  it('a job that is none', async () => {
    const { exitCode, last } = await run({ ...job(), password: PASSWORD } as unknown as MoverJob);
    expect(exitCode).toBe(2);
    expect(last).toMatchObject({ line: 'failed', id: '', code: 'invalidConfig' });
    expect(JSON.stringify(last)).not.toContain(PASSWORD);
  });

  it.skipIf(!isRoot)(`a disk that is full${noMount}`, async () => {
    fill(3, 20 * MIB);
    const small = place.directory('small');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', small]);
    try {
      const stored = await run(job({ repository: { kind: 'filesystem', path: join(small, 'repository') } }));
      expect(stored.last).toMatchObject({ line: 'failed', code: 'tooLarge' });
      rmSync(join(small, 'repository'), { recursive: true });
      const taken = (await run(job())).last as MoverLine & { snapshotID: string };
      const restored = await run(
        job({
          kind: 'restore',
          snapshotID: taken.snapshotID,
          path: small,
          source: undefined,
          isPreparing: undefined,
        } as never),
      );
      expect(restored.last).toMatchObject({ line: 'failed', code: 'tooLarge' });
      const packed = spawnSync(
        PROGRAM,
        ['mover', movers.write({ kind: 'snapshot', uploader: 'stream', id: 's-1', path: join(place.path, 'volume') })],
        {
          maxBuffer: 100 * MIB,
        },
      );
      expect(packed.status).toBe(0);
      for (const name of readdirSync(small)) rmSync(join(small, name), { recursive: true });
      const streamed = await run({ kind: 'restore', uploader: 'stream', id: 's-2', path: small }, packed.stdout);
      expect(streamed.last).toMatchObject({
        line: 'failed',
        code: 'tooLarge',
        message: expect.stringContaining('the disk is full') as string,
      });
    } finally {
      execFileSync('umount', [small]);
    }
  });

  it('being killed: kopia ends as well, the repository stays good, and the next attempt clears away', async () => {
    fill(32, 16 * MIB);
    const what = job();
    const child = movers.spawn(what);
    child.stdin!.end();
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await eventually(
      () => {
        expect(text).toMatch(/"bytesDone":[1-9]/);
      },
      { withinMs: 60_000 },
    );
    const kopia = childrenOf(child.pid!);
    expect(kopia).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    // kopia's next line of progress has no reader any more.
    await eventually(
      () => {
        expect(kopia.filter(isAlive)).toEqual([]);
      },
      { withinMs: 20_000 },
    );
    const { last } = await run({ ...what, scratch: place.directory('scratch-again') });
    expect(last).toMatchObject({ line: 'completed', bytesDone: 32 * 16 * MIB });
    expect(await place.snapshots(repository())).toHaveLength(1);
  });

  it('being told to end: within seconds, with a word, and nothing is left', async () => {
    fill(32, 16 * MIB);
    const child = movers.spawn(job());
    child.stdin!.end();
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => (text += chunk.toString()));
    await eventually(
      () => {
        expect(text).toMatch(/"bytesDone":[1-9]/);
      },
      { withinMs: 60_000 },
    );
    const kopia = childrenOf(child.pid!);
    const began = performance.now();
    child.kill('SIGTERM');
    const [code] = (await once(child, 'close')) as [number];
    expect(performance.now() - began).toBeLessThan(15_000);
    expect(code).toBe(130);
    expect(parseLine(text.trim().split('\n').at(-1) ?? '')).toMatchObject({ line: 'failed', code: 'canceled' });
    expect(kopia.filter(isAlive)).toEqual([]);
    expect(await place.snapshots(repository())).toEqual([]);
  });

  it('no secret is on a command line, in the job or in what it prints', async () => {
    fill(16, 16 * MIB);
    const what = job();
    const child = movers.spawn(what);
    child.stdin!.end();
    const seen: string[] = [];
    let text = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      for (const pid of [child.pid!, ...childrenOf(child.pid!)]) seen.push(commandLine(pid));
    });
    await once(child, 'close');
    expect(seen.some((line) => line.includes('snapshot\0create'))).toBe(true);
    expect([...seen, text].filter((line) => line.includes(PASSWORD))).toEqual([]);
    const config = readFileSync(join(what.scratch, 'kopia.config'), 'utf8');
    expect(config).not.toContain(PASSWORD);
  });

  it('prints at least once a second, and what is done never falls', async () => {
    fill(48, 16 * MIB);
    const child = movers.spawn(job({ isVerified: true }));
    child.stdin!.end();
    const lines: { at: number; line: MoverLine }[] = [];
    let rest = '';
    child.stderr!.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n');
      rest = parts.pop() ?? '';
      const at = performance.now();
      for (const part of parts) lines.push({ at, line: parseLine(part)! });
    });
    await once(child, 'close');
    const done = lines.flatMap(({ line }) => ('bytesDone' in line ? [line.bytesDone] : []));
    expect(done).toEqual(done.toSorted((a, b) => a - b));
    expect(done.at(-1)).toBe(48 * 16 * MIB);
    const gaps = lines.slice(1).map(({ at }, index) => at - lines[index]!.at);
    // The machine may be busy with other things; a silent two seconds would be a bug all the same.
    expect(Math.max(...gaps)).toBeLessThan(2000);
  });

  it('two movers in one repository at the same time', async () => {
    fill(4, 8 * MIB, 'one');
    fill(4, 8 * MIB, 'two');
    expect((await run(job({ path: place.directory('empty') }))).exitCode).toBe(0);
    const both = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const source = { namespace: 'shop', pod: name, volume: name };
        return await run(job({ path: join(place.path, name), source, isPreparing: false }));
      }),
    );
    expect(both.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
    for (const [index, name] of ['one', 'two'].entries()) {
      const target = place.directory(`${name}-target`);
      const { snapshotID } = both[index]!.last as MoverLine & { snapshotID: string };
      const back = job({
        kind: 'restore',
        snapshotID,
        path: target,
        source: undefined,
        isPreparing: undefined,
      } as never);
      expect((await run(back)).exitCode).toBe(0);
      const keeps = { directoryTimes: false };
      expect(describeTree(target, keeps)).toEqual(describeTree(join(place.path, name), keeps));
    }
  });

  it('maintenance beside a mover breaks neither', async () => {
    fill(12, 16 * MIB);
    expect((await run(job({ path: place.directory('empty') }))).exitCode).toBe(0);
    const maintain = { kind: 'maintain', source: undefined, isPreparing: undefined, path: undefined };
    const [copied, quick, full] = await Promise.all([
      run(job({ isPreparing: false })),
      run(job(maintain as never)),
      run(job({ ...maintain, isFull: true } as never)),
    ]);
    expect([copied.exitCode, quick.exitCode, full.exitCode]).toEqual([0, 0, 0]);
    const target = place.directory('target');
    const { snapshotID } = copied.last as MoverLine & { snapshotID: string };
    await run(job({ kind: 'restore', snapshotID, path: target, source: undefined, isPreparing: undefined } as never));
    const keeps = { directoryTimes: false };
    expect(describeTree(target, keeps)).toEqual(describeTree(join(place.path, 'volume'), keeps));
  });

  it('a copy of a repository elsewhere is as good', async () => {
    fill(2, MIB);
    const taken = (await run(job())).last as MoverLine & { snapshotID: string };
    cpSync(repository().path, repository('copy').path, { recursive: true });
    rmSync(repository().path, { recursive: true });
    const target = place.directory('target');
    const back = { kind: 'restore', snapshotID: taken.snapshotID, path: target, repository: repository('copy') };
    expect((await run(job({ ...back, source: undefined, isPreparing: undefined } as never))).exitCode).toBe(0);
  });
});

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
  } catch {
    // It has ended.
    return [];
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

function isAlive(pid: number): boolean {
  return commandLine(pid) !== '';
}
