import { afterAll, beforeAll, expect, it } from 'vitest';
import { POD } from '../../src/api/index.ts';
import { textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { on, phasesOf, SPACE } from '../action/action-cluster.ts';
import { needs } from '../bed/require.ts';
import { IS_CAMPAIGN } from '../faults/seeded-random.ts';
import { objectOf } from '../kube-kinds.ts';
import { describeOn, isUp, podClusters } from '../pod-clusters.ts';
import { backup, FunctionCluster, phase } from './function-cluster.ts';

const MEGABYTES = IS_CAMPAIGN ? 1024 : 50;
const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}Z$/);
const need = needs('kopia', 'restic');
/** What Kanister's own functions use where a Blueprint names none. */
const PASSWORD = '9f735e0df9a1ddc702bf0a1a7b83033f9f7153a00c29de82cedadc9957289b05';
/** kopia as far as a backup asks it, which stands still at three tenths until /fake/go is there. */
const HELD = `#!/bin/sh
case "$*" in
  *'snapshot create'*)
    printf ' / 1 hashing, 1 hashed (30 MB), 0 cached (0 B), uploaded 50 KB, estimated 100 MB (30.0%%) 2m0s left\\r' >&2
    while [ ! -e /fake/go ]; do sleep 0.2; done
    printf '\\r * 0 hashing, 2 hashed (100 MB), 0 cached (0 B), uploaded 90 MB, estimated 100 MB (100.0%%) 0s left\\n' >&2
    echo '{"id":"0123456789abcdef","rootEntry":{"summ":{"size":100000000,"files":2}}}' ;;
  *'blob stats'*) echo 'Total: 7' ;;
esac
`;

for (const kind of await podClusters()) {
  const title = need.title(kind.title('data of applications'));
  const isMissing = kind.missing || need.missing;
  describeOn({ ...kind, missing: isMissing }, title, { timeout: IS_CAMPAIGN ? 1200_000 : 300_000 }, () => {
    let cluster: FunctionCluster;
    beforeAll(async () => {
      cluster = await FunctionCluster.start(kind);
      await cluster.profile('store');
    }, 300_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });
    const restore = (claim: string, args: JsonObject): JsonObject =>
      phase('RestoreData', {
        ...{ namespace: SPACE, image: cluster.image, volumes: { [claim]: '/data' } },
        ...{ backupArtifactPrefix: `bucket/${claim}`, ...args },
      });
    /** Percents and bytes of its first phase, as they were seen until its end. */
    const seenOf = async (name: string, bytes: string): Promise<{ percents: number[]; sizes: number[] }> => {
      const [percents, sizes]: [number[], number[]] = [[], []];
      const ended = await cluster.actions.status(
        name,
        (status) => {
          percents.push(Number(valueAt(phasesOf(status)[0], 'progress', 'progressPercent') ?? 0));
          sizes.push(Number(valueAt(phasesOf(status)[0], 'progress', bytes) ?? 0));
          return status['state'] === 'complete' || status['state'] === 'failed';
        },
        IS_CAMPAIGN ? 900_000 : 150_000,
      );
      expect(ended['state'], JSON.stringify(ended)).toBe('complete');
      return { percents, sizes };
    };

    it('are held in their second phase with the numbers of the seed', async () => {
      const held = { name: 'app', image: cluster.image, command: ['sleep', '3600'] };
      const path = '/fake:/usr/local/bin:/usr/bin:/bin';
      const spec = {
        containers: [
          {
            ...{ ...held, env: [{ name: 'PATH', value: path }], securityContext: { runAsUser: 0 } },
            volumeMounts: [{ name: 'fake', mountPath: '/fake' }],
          },
        ],
        ...{ volumes: [{ name: 'fake', emptyDir: {} }], terminationGracePeriodSeconds: 0 },
      };
      await cluster.kube.create({ type: POD, namespace: SPACE }, objectOf(POD, 'mysql', { spec }));
      await isUp(cluster.kube, SPACE, 'mysql');
      const script = Buffer.from(HELD).toString('base64');
      await cluster.say('mysql', `echo ${script} | base64 -d >/fake/kopia; chmod +x /fake/kopia`);
      const quick = (name: string): JsonObject => ({
        ...{ func: 'KubeTask', name },
        args: { image: cluster.image, command: ['true'] },
      });
      const dump = backup('mysql', { includePath: '/fake' }, { name: 'dumpToObjectStore' });
      await cluster.begin('seed', [quick('updatePermissions'), dump, quick('cleanup')]);
      const status = await cluster.actions.status(
        'seed',
        (now) =>
          ['43.33', undefined].includes(textAt(now, 'progress', 'percentCompleted')) && now['progress'] !== undefined,
      );
      expect(status['state']).toBe('running');
      expect(status['progress']).toMatchObject({ percentCompleted: '43.33', runningPhase: 'dumpToObjectStore' });
      const shown = phasesOf(status).map(({ name, state, progress }) => [
        name,
        state,
        valueAt(progress, 'progressPercent'),
      ]);
      expect(shown).toEqual([
        ['updatePermissions', 'complete', '100.00'],
        ['dumpToObjectStore', 'running', '30.00'],
        ['cleanup', 'pending', undefined],
      ]);
      expect(phasesOf(status)[1]!['progress']).toEqual({
        ...{ progressPercent: '30.00', lastTransitionTime: TIME },
        ...{ sizeUploadedB: 30_000_000, estimatedUploadSizeB: 100_000_000, estimatedTimeSeconds: 120 },
      });
      await cluster.say('mysql', 'touch /fake/go');
      const outputs = await cluster.outputs('seed');
      expect(outputs[1]).toMatchObject({ backupID: '0123456789abcdef', fileCount: '2' });
    });

    it('are backed up and restored with live bytes, and are the same', async () => {
      await cluster.application('app', MEGABYTES);
      const before = await cluster.hashes('app');
      await cluster.begin('up', [backup('app')]);
      const up = await seenOf('up', 'sizeUploadedB');
      const [{ backupID = '' } = {}] = await cluster.outputs('up');
      await cluster.say('app', 'rm -rf /data/*');
      await cluster.begin('down', [restore('app', { backupIdentifier: backupID })]);
      const down = await seenOf('down', 'sizeDownloadedB');
      expect(await cluster.hashes('app')).toBe(before);
      for (const { percents, sizes } of [up, down]) {
        expect(percents).toEqual(percents.toSorted((one, other) => one - other));
        expect(sizes).toEqual(sizes.toSorted((one, other) => one - other));
        expect(percents.at(-1)).toBe(100);
        expect(sizes.at(-1)).toBeGreaterThan(0.99 * MEGABYTES * 1e6);
        if (IS_CAMPAIGN) expect(new Set(sizes).size).toBeGreaterThan(5);
      }
      expect(await cluster.leftovers()).toEqual([]);
    });

    it('are restored from an artifact as Kanister makes it', async () => {
      await cluster.application('kanister', 3);
      const before = await cluster.hashes('kanister');
      const made = await cluster.say(
        'kanister',
        `export RESTIC_REPOSITORY=/store/bucket/kanister RESTIC_PASSWORD=${PASSWORD} HOME=/tmp; restic init >/dev/null &&
         restic backup --tag abcdefghij /data | sed -n 's/^snapshot \\(.*\\) saved$/\\1/p'; rm -rf /data/*`,
      );
      await cluster.begin('by-id', [restore('kanister', { backupIdentifier: made.trim() })]);
      await cluster.outputs('by-id');
      expect(await cluster.hashes('kanister')).toBe(before);
      await cluster.say('kanister', 'rm -rf /data/*');
      await cluster.begin('by-tag', [restore('kanister', { backupTag: 'abcdefghij' })]);
      await cluster.outputs('by-tag');
      expect(await cluster.hashes('kanister')).toBe(before);
    });

    it('are dumped, wiped, restored and deleted by KubeTask and kando', async () => {
      await cluster.application('db', 5);
      const before = await cluster.hashes('db');
      const task = (name: string, script: string): JsonObject => ({
        ...{ func: 'KubeTask', name },
        args: {
          ...{ image: cluster.image, command: ['bash', '-o', 'errexit', '-o', 'pipefail', '-c', script] },
          podOverride: {
            containers: [{ name: 'container', volumeMounts: [{ name: 'db', mountPath: '/data' }] }],
            volumes: [{ name: 'db', persistentVolumeClaim: { claimName: 'db' } }],
          },
        },
      });
      const at = (verb: string, file: string): string =>
        `kando location ${verb} ${file} --profile '{{ toJson .Profile }}' --path '{{ .Options.path }}'`;
      await cluster.actions.blueprint('db', {
        backup: {
          outputArtifacts: { dump: { keyValue: { path: '{{ .Phases.dump.Output.path }}' } } },
          phases: [
            task('dump', `tar -C /data -c . | gzip | ${at('push', '-')}; kando output path '{{ .Options.path }}'`),
          ],
        },
        restore: {
          inputArtifactNames: ['dump'],
          phases: [task('load', `${at('pull', '-')} | gunzip | tar -C /data -x`)],
        },
        delete: { inputArtifactNames: ['dump'], phases: [task('drop', at('delete', ''))] },
      });
      const run = async (name: string, artifacts: JsonObject = {}): Promise<JsonObject> => {
        const podOverride = cluster.storeSpec();
        const options = { path: 'db/dump.gz' };
        await cluster.set(`db-${name}`, on(name, 'db', { options, artifacts, podOverride }));
        const ended = await cluster.actions.ended(`db-${name}`, 100_000);
        expect(ended['state'], JSON.stringify(ended)).toBe('complete');
        return (ended['actions'] as JsonObject[])[0]!['artifacts'] as JsonObject;
      };
      const artifacts = await run('backup');
      expect(artifacts).toEqual({ dump: { keyValue: { path: 'db/dump.gz' } } });
      await cluster.say('db', 'rm -rf /data/*');
      await run('restore', artifacts);
      expect(await cluster.hashes('db')).toBe(before);
      const list = (): Promise<string> => cluster.say('db', 'ls /store/bucket/db 2>/dev/null || true');
      expect(await list()).toBe('dump.gz\n');
      await run('delete', artifacts);
      expect(await list()).toBe('');
    });
  });
}
