import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeTree } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { KOPIA, PASSWORD } from './kopia-place.ts';
import { MoverRuns } from './mover-runs.ts';
import { ProcessMovers, PROGRAM } from './process-mover.ts';

const need = needs('kopia');
const MIB = 1024 * 1024;
const isRoot = process.getuid?.() === 0;
const noMount = isRoot ? '' : ' (skipped: only root may mount)';
const KEEPS = { directoryTimes: false };
const containing = (text: string): string => expect.stringContaining(text) as string;

describe.skipIf(need.missing)(need.title('a repository that a mover cannot use'), { timeout: 120_000 }, () => {
  let runs: MoverRuns;
  const removed = (pattern: RegExp): void => {
    for (const name of readdirSync(runs.repository().path)) {
      if (pattern.test(name)) rmSync(join(runs.repository().path, name), { recursive: true });
    }
  };
  const kopia = (variable: string, ...args: string[]): void => {
    const env = { ...process.env, KOPIA_PASSWORD: PASSWORD, HOME: runs.place.path, [variable]: '1' };
    const config = `--config-file=${join(runs.place.path, 'other.config')}`;
    execFileSync(KOPIA, [config, ...args], { env, stdio: 'pipe' });
  };

  beforeEach(async () => {
    runs = new MoverRuns();
    runs.fill(4, 100_000);
    expect((await runs.run(runs.job())).exitCode).toBe(0);
  });
  afterEach(() => {
    runs[Symbol.dispose]();
  });

  it('has another password', async () => {
    runs.movers[Symbol.dispose]();
    runs.movers = new ProcessMovers({ password: 'guessed-and-not-known' });
    const { exitCode, last, text } = await runs.run(runs.job());
    const message = containing('velero-repo-credentials');
    expect(last).toMatchObject({ line: 'failed', code: 'unauthenticated', message });
    expect(exitCode).toBe(4);
    expect(text).not.toContain('guessed');
  });

  it('is being upgraded', async () => {
    // The oldest format is the only one that can still be upgraded.
    rmSync(runs.repository().path, { recursive: true });
    mkdirSync(runs.repository().path);
    const path = `--path=${runs.repository().path}`;
    kopia('KOPIA_UPGRADE_LOCK_ENABLED', 'repository', 'create', 'filesystem', path, '--format-version=2');
    const lock = ['--upgrade-owner-id=me', '--io-drain-timeout=1h', '--lock-only'];
    kopia('KOPIA_UPGRADE_LOCK_ENABLED', 'repository', 'upgrade', 'begin', ...lock);
    expect((await runs.run(runs.job())).last).toMatchObject({ line: 'failed', code: 'conflict' });
  });

  it('is of a newer kopia', async () => {
    const path = `--path=${runs.repository().path}`;
    kopia('KOPIA_TESTONLY_FLAGS', 'repository', 'connect', 'filesystem', path, '--no-check-for-updates');
    kopia('KOPIA_TESTONLY_FLAGS', 'repository', 'set-parameters', '--add-required-feature=time-travel');
    const { last } = await runs.run(runs.job());
    expect(last).toMatchObject({ line: 'failed', code: 'unsupported', message: containing('time-travel') });
  });

  it.each<[string, RegExp, string]>([
    ['its description', /^kopia\.repository/, 'what is there is no repository, and not empty either'],
    ['what its snapshots are', /^q/, 'a part of the repository is missing'],
  ])('lacks %s', async (_, pattern, message) => {
    removed(pattern);
    const { last } = await runs.run(runs.job());
    expect(last).toMatchObject({ line: 'failed', code: 'invalid', message: containing(message) });
  });

  it.each([true, false])('lacks the data of earlier snapshots (verified: %s)', async (isVerified) => {
    removed(/^p/);
    const { last } = await runs.run(runs.job({ isVerified }));
    const message = containing('a part of the repository is missing');
    expect(last).toMatchObject({ line: 'failed', code: 'invalid', message, hint: containing('another location') });
    // Nothing that could be taken for a good snapshot stays.
    expect(await runs.place.snapshots(runs.repository())).toHaveLength(1);
  });

  it('is gone', async () => {
    rmSync(runs.repository().path, { recursive: true });
    const { last } = await runs.run(runs.job({ isPreparing: false }));
    expect(last).toMatchObject({ line: 'failed', code: 'notFound' });
  });

  it('was copied elsewhere, which is as good', async () => {
    const taken = await runs.run(runs.job());
    cpSync(runs.repository().path, runs.repository('copy').path, { recursive: true });
    rmSync(runs.repository().path, { recursive: true });
    const target = runs.place.directory('target');
    expect((await runs.run(runs.restoreJob(taken, target, runs.repository('copy')))).exitCode).toBe(0);
    expect(describeTree(target, KEEPS)).toEqual(describeTree(runs.volume(), KEEPS));
  });

  it.skipIf(!isRoot)(`is on a disk that is full, or the volume is${noMount}`, async () => {
    runs.fill(3, 20 * MIB);
    const small = runs.place.directory('small');
    const emptied = (): void => {
      for (const name of readdirSync(small)) rmSync(join(small, name), { recursive: true });
    };
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', small]);
    try {
      const stored = await runs.run(runs.job({ repository: runs.repository('small/repository') }));
      expect(stored.last).toMatchObject({ line: 'failed', code: 'tooLarge' });
      emptied();
      const restored = await runs.run(runs.restoreJob(await runs.run(runs.job()), small));
      expect(restored.last).toMatchObject({ line: 'failed', code: 'tooLarge' });
      emptied();
      const job = runs.movers.write({ kind: 'snapshot', uploader: 'stream', id: 's-1', path: runs.volume() });
      const packed = spawnSync(PROGRAM, ['mover', job], { maxBuffer: 100 * MIB });
      expect(packed.status).toBe(0);
      const streamed = await runs.run({ kind: 'restore', uploader: 'stream', id: 's-2', path: small }, packed.stdout);
      expect(streamed.last).toMatchObject({
        line: 'failed',
        code: 'tooLarge',
        message: containing('the disk is full'),
      });
    } finally {
      execFileSync('umount', [small]);
    }
  });
});
