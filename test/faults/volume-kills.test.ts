import { existsSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Backup, POD, Restore, VolumePluginBackup, VolumePluginRestore } from '../../src/api/index.ts';
import { textAt } from '../../src/base/index.ts';
import { parseLine } from '../../src/core/volumes/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { content, describeTree, makeTree } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { newNamespace } from '../kube-kinds.ts';
import { moverProcesses } from '../volumes/mover-processes.ts';
import { KOPIA_AT, type OddKopia } from '../volumes/odd-kopia.ts';
import { useOddKopia } from '../volumes/odd-suite.ts';
import { createApplication, moversIn } from '../volumes/volume-application.ts';
import { createClaim, createUser, directoryOf } from '../volumes/volume-cluster.ts';
import { FaultCluster } from './fault-cluster.ts';
import { expectSteady, FRESH_MS, SLACK_MS } from './progress-rules.ts';
import { IS_CAMPAIGN, SEED, seededRandom } from './seeded-random.ts';
import { StatusRecord } from './status-record.ts';
import { VolumeRecord } from './volume-record.ts';

const MIB = 1024 * 1024;
/** Of five kills each. */
const ROUNDS = IS_CAMPAIGN ? 4 : 1;
const KEEPS = { hardLinks: false, anyName: false, directoryTimes: false };
const WITHIN_MS = 120_000;
const need = needs('kopia');

describe.skipIf(need.missing)(
  need.title(`kill -9 while volumes are copied (HEADWAY_SEED=${SEED})`),
  { timeout: 240_000 },
  () => {
    const random = seededRandom(SEED);
    /** How far kopia says it is at each of so many kills, of 20 MB, one behind the other. */
    const moments = (kills: number): number[] => {
      const found = new Set<number>();
      while (found.size < kills) found.add(Math.ceil(random() * 18));
      return [...found].toSorted((a, b) => a - b);
    };
    const rounds = Array.from({ length: ROUNDS }, (_, round) => ({ round, there: moments(3), back: moments(2) }));
    const losses = Array.from({ length: ROUNDS }, (_, round) => ({ round, done: moments(5) }));
    /** What kopia says at each moment, where it waits for the test then. */
    const stops = (name: string, lines: readonly string[]): string =>
      lines.map((line, at) => `${line}name=${name}-${at}\nhold\n`).join('');
    let cluster: FaultCluster;
    let kube: KubeClient;
    let server: Running;
    let odd: OddKopia;

    useOddKopia(async (kopia) => {
      odd = kopia;
      const serverFlags = ['--uploader', 'kopia'];
      cluster = await FaultCluster.start({ cluster: 'pocket', store: 'fs', pocketFlags: odd.flags, serverFlags });
      ({ kube } = cluster);
      server = await cluster.served();
      return { cluster, bucket: cluster.fsDirectory };
    }, 120_000);

    /** An application with these volumes, each with files. */
    const application = async (claims: readonly string[], annotations: Record<string, string> = {}) => {
      const fill = (directory: string, claim: string): void => {
        makeTree(directory, KEEPS);
        writeFileSync(join(directory, 'big'), content(4 * MIB, claim.length));
      };
      const namespace = await createApplication(kube, claims, fill, { annotations });
      return { namespace, at: (claim: string): Promise<string> => directoryOf(kube, namespace, claim) };
    };
    const backupOf = (namespace: string, name: string) =>
      StatusRecord.of(kube, Backup, {
        name,
        spec: { includedNamespaces: [namespace], defaultVolumesToFsBackup: true },
      });
    const isHeld = async (volume: string): Promise<void> => {
      await odd.held(volume);
    };
    const leftovers = (namespace: string): Promise<string[]> => moversIn(kube, namespace);
    const restart = async (): Promise<void> => {
      await cluster.kill(server);
      server = await cluster.served();
    };
    const atWork = (): number[] => moverProcesses(cluster.home.path);

    it.each(rounds)(
      'of the server at $there of 20 MB, and at $back on the way back: kopia runs on and is found again',
      async ({ round, there, back }) => {
        const { namespace, at } = await application(['slow', 'quick']);
        const lines = there.map((done) => KOPIA_AT(`${done} MB`, '20 MB'));
        odd.does('slow', stops('slow', lines));
        const name = `kept-${round}`;
        await using volumes = new VolumeRecord(kube, VolumePluginBackup, name);
        await using backup = await backupOf(namespace, name);
        await volumes.until('quick', 'done', ({ phase }) => phase === 'Completed');
        for (const [kill, done] of there.entries()) {
          await isHeld(`slow-${kill}`);
          await volumes.until('slow', `at ${done} MB`, ({ progress }) => progress['bytesDone'] === done * 1_000_000);
          const [mover] = atWork();
          await restart();
          expect(atWork()).toEqual([mover]);
          const attempt = `"attempt":${kill + 2}`;
          await backup.until(attempt, ({ object }) => JSON.stringify(object).includes(attempt), 60_000);
          odd.letGo(`slow-${kill}`);
        }
        const end = await backup.ended(WITHIN_MS);
        expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
        expect(volumes.last('slow')).toMatchObject({ phase: 'Completed', attempt: 1 });
        expect(volumes.last('slow')!.progress['percent']).toBe(100);
        // What was done is not done again.
        expect(volumes.of('quick').filter(({ phase }) => phase === 'Completed')).toHaveLength(1);
        volumes.expectLaws();
        backup.expectPercentNeverFalls();
        expect(await leftovers(namespace)).toEqual([]);

        const words = back.map(
          (done) => `say 'Processed 2 (${String(done / 10)} MB) of 3 (20 MB) 1 MB/s (10.0%) remaining 1m.'\n`,
        );
        odd.does('restore', stops('restore', words));
        const target = `${namespace}-again`;
        await using restored = new VolumeRecord(kube, VolumePluginRestore, name);
        await using restore = await StatusRecord.of(kube, Restore, {
          name,
          spec: { backupName: name, namespaceMapping: { [namespace]: target } },
        });
        for (const [kill, done] of back.entries()) {
          await isHeld(`restore-${kill}`);
          const bytes = done * 100_000;
          for (const claim of ['slow', 'quick'])
            await restored.until(claim, `at ${bytes} bytes`, ({ progress }) => progress['bytesDone'] === bytes);
          const fillers = atWork();
          expect(fillers).toHaveLength(2);
          await restart();
          expect(atWork()).toEqual(fillers);
          const attempt = `"attempt":${kill + 2}`;
          await restore.until(attempt, ({ object }) => JSON.stringify(object).includes(attempt), 60_000);
          odd.letGo(`restore-${kill}`);
        }
        const ended = await restore.ended(WITHIN_MS);
        expect(ended.phase, JSON.stringify(ended.object['status'])).toBe('Completed');
        restored.expectLaws();
        restore.expectPercentNeverFalls();
        for (const claim of ['slow', 'quick']) {
          expect(restored.last(claim)).toMatchObject({ phase: 'Completed', attempt: 1 });
          const copy = await directoryOf(kube, target, claim);
          expect(describeTree(copy, KEEPS)).toEqual(describeTree(await at(claim), KEEPS));
        }
        // Nor did a later attempt take the mover and its keys, which were there, for a part of the application.
        expect(await leftovers(target)).toEqual([]);
      },
    );

    it('of the server while a pod stands still: it is thawed, and its volume copied anew', async () => {
      const frozen = '/data/slow/frozen';
      const { namespace, at } = await application(['slow'], {
        'pre.hook.backup.velero.io/command': `["sh", "-c", "echo pre >>/data/slow/hooks; touch ${frozen}"]`,
        'post.hook.backup.velero.io/command': `["sh", "-c", "echo post >>/data/slow/hooks; rm -f ${frozen}"]`,
      });
      odd.does(
        'slow',
        `${KOPIA_AT('8 MB', '20 MB')}echo held >>"$odd/turns"\n[ "$(wc -l <"$odd/turns")" = 1 ] && hold\n`,
      );
      await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'thawed');
      await using backup = await backupOf(namespace, 'thawed');
      await isHeld('slow');
      expect(existsSync(join(await at('slow'), 'frozen'))).toBe(true);
      await restart();
      const end = await backup.ended(WITHIN_MS);
      expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
      expect(volumes.last('slow')).toMatchObject({ phase: 'Completed', attempt: 2 });
      expect(odd.said('turns')).toBe('held\nheld\n');
      expect(existsSync(join(await at('slow'), 'frozen'))).toBe(false);
      await expect.poll(() => atWork(), { timeout: 20_000 }).toEqual([]);
      expect(await leftovers(namespace)).toEqual([]);
      backup.expectPercentNeverFalls();
    });

    it.each(losses)(
      'of movers at $done of 20 MB: each is tried again, and its attempts are shown',
      async ({ round, done }) => {
        const claims = done.map((moment) => `at-${moment}`);
        const { namespace, at } = await application(claims);
        for (const [kill, claim] of claims.entries()) {
          const turns = `"$odd/turns-${claim}"`;
          const line = KOPIA_AT(`${String(done[kill])} MB`, '20 MB');
          odd.does(claim, `${line}echo held >>${turns}\n[ "$(wc -l <${turns})" = 1 ] && hold\n`);
        }
        const name = `lost-${round}`;
        await using volumes = new VolumeRecord(kube, VolumePluginBackup, name);
        await using backup = await backupOf(namespace, name);
        const killed = claims.map(async (claim) => {
          await isHeld(claim);
          const [mover, ...others] = moverProcesses(await at(claim));
          expect(others).toEqual([]);
          process.kill(mover!, 'SIGKILL');
        });
        await Promise.all(killed);
        const end = await backup.ended(WITHIN_MS);
        expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
        for (const claim of claims) {
          expect(volumes.last(claim)).toMatchObject({ phase: 'Completed', attempt: 2 });
          expect(odd.said(`turns-${claim}`)).toBe('held\nheld\n');
        }
        volumes.expectLaws();
        backup.expectPercentNeverFalls();
        expect(await leftovers(namespace)).toEqual([]);
      },
    );

    it('of the mover each time: three times, then one sentence, and the other volumes go on', async () => {
      const { namespace } = await application(['slow', 'quick']);
      odd.does('slow', `${KOPIA_AT('8 MB', '20 MB')}echo held >>"$odd/turns"\nhold\n`);
      await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'hopeless');
      await using backup = await backupOf(namespace, 'hopeless');
      await volumes.until('quick', 'done', ({ phase }) => phase === 'Completed');
      for (const turns of [1, 2, 3]) {
        await eventually(
          () => {
            expect(odd.said('turns').trim().split('\n')).toHaveLength(turns);
            expect(odd.isHeld('slow')).toBe(true);
          },
          { withinMs: 60_000 },
        );
        for (const pid of atWork()) process.kill(pid, 'SIGKILL');
      }
      const end = await backup.ended(WITHIN_MS);
      expect(end.phase).toBe('PartiallyFailed');
      expect(volumes.last('quick')).toMatchObject({ phase: 'Completed' });
      const slow = volumes.last('slow')!;
      expect(slow).toMatchObject({ phase: 'Failed', attempt: 3 });
      expect(
        new Set(
          volumes
            .of('slow')
            .map(({ attempt }) => attempt)
            .filter((attempt) => attempt > 0),
        ),
      ).toEqual(new Set([1, 2, 3]));
      expect(textAt(slow.object, 'status', 'message')).toMatch(/killed.*\(tried 3 times\)$/);
      expect(textAt(slow.object, 'status', 'completionTimestamp')).toBeDefined();
      volumes.expectLaws();
      backup.expectPercentNeverFalls();
      expect(await leftovers(namespace)).toEqual([]);
    });

    it('of nobody: bytes are seen from outside as fresh as the mover tells them', async () => {
      const { namespace } = await application(['slow']);
      const steps = Array.from({ length: 32 }, (_, step) => `${KOPIA_AT(`${step + 1} MB`, '40 MB')}sleep 0.25\n`);
      odd.does('slow', steps.join(''));
      await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'watched');
      await using backup = await backupOf(namespace, 'watched');
      await volumes.until('slow', 'on its way', ({ progress }) => Number(progress['bytesDone']) > 0);
      const pod = (await leftovers(namespace)).find((name) => name.startsWith('headway-snapshot-'))!;
      const told: { at: number; bytes: number }[] = [];
      for await (const { line, time = '' } of kube.logs({ namespace, name: pod }, { follow: true, isPatient: true })) {
        const mover = parseLine(line);
        if (mover?.line === 'progress') told.push({ at: Date.parse(time), bytes: mover.bytesDone });
      }
      await backup.ended(WITHIN_MS);
      expect(told.length).toBeGreaterThan(8);
      const seen = volumes.of('slow');
      // Also while the pod starts: then it says what it waits for.
      const running = seen.filter(({ phase }) => phase === 'InProgress');
      expectSteady(running, ['percent', 'bytesDone']);
      for (const { at, progress } of running) {
        const by = (time: number): number =>
          Math.max(0, ...told.filter((one) => one.at <= time).map(({ bytes }) => bytes));
        const bytes = Number(progress['bytesDone'] ?? 0);
        expect(bytes, 'too old').toBeGreaterThanOrEqual(by(at - FRESH_MS - SLACK_MS));
        expect(bytes, 'not told yet').toBeLessThanOrEqual(by(at + SLACK_MS));
      }
      volumes.expectLaws();
    });

    it('of a pod that somebody deletes: that is a lost mover too', async () => {
      const { namespace } = await application(['slow']);
      odd.does(
        'slow',
        `${KOPIA_AT('8 MB', '20 MB')}echo held >>"$odd/turns"\n[ "$(wc -l <"$odd/turns")" = 1 ] && hold\n`,
      );
      await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'evicted');
      await using backup = await backupOf(namespace, 'evicted');
      await isHeld('slow');
      const [pod] = (await leftovers(namespace)).filter((name) => name.startsWith('headway-snapshot-'));
      await kube.delete({ type: POD, namespace, name: pod! });
      const end = await backup.ended(WITHIN_MS);
      expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
      expect(volumes.last('slow')).toMatchObject({ phase: 'Completed', attempt: 2 });
    });
  },
);

describe('kill -9 of the server while a stream runs', { timeout: 240_000 }, () => {
  it('begins anew, shows its attempt, and the percent stays', async () => {
    await using cluster = await FaultCluster.start({
      cluster: 'pocket',
      store: 'fs',
      serverFlags: ['--uploader', 'stream'],
    });
    const { kube } = cluster;
    const namespace = await newNamespace(kube);
    await createClaim(kube, namespace, 'data');
    await createUser(kube, namespace, { name: 'db-0', claims: ['data'] });
    const directory = await directoryOf(kube, namespace, 'data');
    makeTree(directory);
    // Nobody reads it as fast as the test looks, and it takes no room.
    const large = join(directory, 'sparse');
    writeFileSync(large, '');
    truncateSync(large, 40_000 * MIB);
    const server = await cluster.served();
    await using volumes = new VolumeRecord(kube, VolumePluginBackup, 'streamed');
    await using backup = await StatusRecord.of(kube, Backup, {
      name: 'streamed',
      spec: { includedNamespaces: [namespace], defaultVolumesToFsBackup: true },
    });
    const shown = await volumes.until('data', 'on its way', ({ progress }) => Number(progress['percent'] ?? 0) > 1);
    await cluster.kill(server);
    rmSync(large);
    await cluster.served();
    const end = await backup.ended(WITHIN_MS);
    expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
    expect(volumes.last('data')).toMatchObject({ phase: 'Completed', attempt: 2 });
    const second = volumes.of('data').filter(({ attempt }) => attempt === 2);
    expect(second.every(({ progress }) => Number(progress['percent']) >= Number(shown.progress['percent']))).toBe(true);
    volumes.expectLaws();
    backup.expectPercentNeverFalls();
  });
});
