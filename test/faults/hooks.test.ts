import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Backup, NODE, POD, Restore } from '../../src/api/index.ts';
import { objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { describeOn, isUp, podClusters, sayIn, shellPod } from '../pod-clusters.ts';
import { FaultCluster } from './fault-cluster.ts';
import type { Passing } from './fault-line.ts';
import { IS_CAMPAIGN, SEED, seededRandom } from './seeded-random.ts';
import { ENDED, StatusRecord } from './status-record.ts';

const ROUNDS = IS_CAMPAIGN ? 20 : 5;
const NAMESPACE = 'shop';
const PODS = ['db-0', 'db-1'];
/** What a backup asks for while its pods are between their hooks, roughly; each request takes so long. */
const REQUESTS = 10;
const LATE_MS = 60;
/** A command takes its time, so that a kill may fall into it. */
const TAKES = 0.2;
const isExec = (what: 'touch' | 'rm', { path }: Passing): boolean => path.includes('/exec?') && path.includes(what);
const isWrite = ({ method, path }: Passing): boolean => method === 'PATCH' && path.includes('/backups/');

/** How often each hook ran in a pod, and whether it is frozen. */
interface Seen {
  pre: number;
  post: number;
  isFrozen: boolean;
}

const hooksOf = (round: number): JsonObject => {
  const log = `/tmp/round-${round}`;
  const run = (script: string): JsonObject => ({ exec: { command: ['sh', '-c', script] } });
  return {
    resources: [
      {
        name: 'quiet',
        // Counted when it begins, and when it has ended.
        pre: [run(`echo pre >>${log}; touch /tmp/frozen; sleep ${TAKES}`)],
        post: [run(`sleep ${TAKES}; rm -f /tmp/frozen; echo post >>${log}`)],
      },
    ],
  };
};

for (const kind of await podClusters()) {
  const title = kind.title('hooks in pods that run');
  describeOn(kind, `${title} (HEADWAY_SEED=${SEED})`, {}, () => {
    let cluster: FaultCluster;
    let server: Running;

    beforeAll(async () => {
      cluster = await FaultCluster.start({ cluster: kind.name, store: 'fs' });
      await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, NAMESPACE));
      const target = { type: POD, namespace: NAMESPACE };
      for (const name of PODS) {
        // A cluster may make the account of a namespace a moment later.
        await eventually(async () => await cluster.kube.create(target, shellPod(name, 'sleep 100000')));
      }
      for (const name of PODS) await isUp(cluster.kube, NAMESPACE, name);
      server = await cluster.served();
    }, 120_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });

    const inPod = async (name: string, script: string): Promise<string> =>
      await sayIn(cluster.kube, { namespace: NAMESPACE, name }, script);
    const look = async (name: string, round: number): Promise<Seen> => {
      const said = await inPod(name, `cat /tmp/round-${round} 2>/dev/null; ls /tmp/frozen 2>/dev/null`);
      const lines = said.trim().split('\n');
      const count = (what: string): number => lines.filter((line) => line === what).length;
      return { pre: count('pre'), post: count('post'), isFrozen: count('/tmp/frozen') > 0 };
    };

    /** When nothing is under way in the pod any more: a command goes on when whoever started it is dead. */
    async function settled(name: string, round: number): Promise<Seen> {
      let quiet = 0;
      let last = '';
      return await eventually(
        async () => {
          const runs = await inPod(name, `pgrep -f 'sleep ${TAKES}' | grep -v "^$$\\$" || true`);
          const seen = await look(name, round);
          const now = `${JSON.stringify(seen)} ${runs}`;
          quiet = now === last && runs === '' ? quiet + 1 : 0;
          last = now;
          if (quiet < 3) throw new Error(`${name} is not quiet: ${now}`);
          return seen;
        },
        { withinMs: 20_000 },
      );
    }

    /** A backup whose server is killed at a moment; afterwards everything must be as if nobody had been. */
    async function killedAt(round: number, moment: () => Promise<unknown>): Promise<Map<string, Seen>> {
      await using backup = await StatusRecord.of(cluster.kube, Backup, {
        name: `hooks-${round}`,
        spec: { includedNamespaces: [NAMESPACE], hooks: hooksOf(round) },
      });
      await backup.until('a pod is recorded', ({ object }) => openPods(object).length > 0, 30_000);
      await moment();
      await cluster.kill(server);
      cluster.api.clear();
      const killed = new Map<string, Seen>();
      for (const name of PODS) killed.set(name, await settled(name, round));
      const object = await cluster.kube.get({ type: Backup, namespace: 'velero', name: `hooks-${round}` });
      const open = openPods(object);
      const hadEnded = ENDED.includes(textAt(object, 'status', 'phase') ?? '');
      server = await cluster.served();
      const end = await backup.ended();
      expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
      expect(openPods(end.object)).toEqual([]);
      for (const [name, { pre, post }] of killed) {
        // The next attempt begins anew; before it, whoever is recorded is thawed. So a post hook runs twice for one pre
        // hook only when it had ended and nobody had written that down.
        const again = hadEnded ? 0 : 1;
        const thawed = open.includes(name) ? 1 : 0;
        const wanted = { pre: pre + again, post: post + thawed + again, isFrozen: false };
        expect({ name, ...(await look(name, round)) }).toEqual({ name, ...wanted });
        expect(pre).toBeLessThanOrEqual(1);
      }
      return killed;
    }

    const random = seededRandom(SEED);
    const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
      round,
      nth: Math.floor(random() * REQUESTS),
      ms: Math.floor(random() * 300),
    }));

    it.each(rounds)(
      'round $round: killed $nth requests and $ms ms after the first pod was recorded, and no pod stays frozen',
      { timeout: 120_000 },
      async ({ round, nth, ms }) => {
        cluster.api.rule(() => ({ kind: 'late', ms: LATE_MS }));
        await killedAt(round, async () => {
          const from = cluster.api.requests;
          await eventually(
            () => {
              if (cluster.api.requests < from + nth) throw new Error(`only ${cluster.api.requests - from} requests`);
            },
            { withinMs: 30_000 },
          );
          await delay(ms);
        });
      },
    );

    it('killed before a pre hook that is recorded: its post hook runs all the same', { timeout: 120_000 }, async () => {
      const held = cluster.api.holds((passing) => isExec('touch', passing), 'before');
      const killed = await killedAt(100, async () => {
        await held;
      });
      expect([...killed.values()].map(({ pre, post }) => [pre, post])).toEqual([
        [0, 0],
        [0, 0],
      ]);
    });

    it('killed between the end of a post hook and its record: that one runs twice', { timeout: 120_000 }, async () => {
      let hasRun = false;
      const held = cluster.api.holds((passing) => {
        const isRecord = hasRun && isWrite(passing);
        hasRun ||= isExec('rm', passing);
        return isRecord;
      }, 'before');
      const killed = await killedAt(101, async () => {
        await held;
        // What was written first may have been progress.
        await settled(PODS[0]!, 101);
      });
      expect(killed.get(PODS[0]!)).toEqual({ pre: 1, post: 1, isFrozen: false });
      expect((await look(PODS[0]!, 101)).post).toBe(3);
    });

    it('of a restore run once each, in their order', { timeout: 120_000 }, async () => {
      const volumeMounts = [{ name: 'data', mountPath: '/data' }];
      const more = { spec: { volumes: [{ name: 'data', emptyDir: {} }] }, container: { volumeMounts } };
      await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'source'));
      const target = { type: POD, namespace: 'source' };
      await eventually(async () => await cluster.kube.create(target, shellPod('app', 'sleep 100000', more)));
      await isUp(cluster.kube, 'source', 'app');
      await using backup = await StatusRecord.of(cluster.kube, Backup, {
        name: 'for-hooks',
        spec: { includedNamespaces: ['source'] },
      });
      expect((await backup.ended()).phase).toBe('Completed');
      const say = (text: string): string[] => ['sh', '-c', `echo ${text} >>/data/log`];
      const init = { initContainers: [{ name: 'first', image: 'busybox:1', command: say('init'), volumeMounts }] };
      const exec = { container: 'main', command: say('exec'), waitTimeout: '60s' };
      const resources = [
        { name: 'both', postHooks: [{ init }, { exec }, { exec: { ...exec, command: say('last') } }] },
      ];
      await using restore = await StatusRecord.of(cluster.kube, Restore, {
        name: 'with-hooks',
        spec: { backupName: 'for-hooks', namespaceMapping: { source: 'hooked' }, hooks: { resources } },
      });
      const end = await restore.ended();
      expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
      const said = await sayIn(cluster.kube, { namespace: 'hooked', name: 'app' }, 'cat /data/log');
      expect(said).toBe('init\nexec\nlast\n');
    });

    it.skipIf(kind.name === 'pocket')(
      `wait for a pod that fits nowhere, and the restore says so${kind.name === 'pocket' ? ' (skipped: on pocket every pod fits)' : ''}`,
      async () => {
        await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'choosy'));
        const target = { type: POD, namespace: 'choosy' };
        const more = { spec: { nodeSelector: { choosy: 'yes' } } };
        await eventually(async () => await cluster.kube.create(target, shellPod('app', 'sleep 100000', more)));
        await using backup = await StatusRecord.of(cluster.kube, Backup, {
          name: 'choosy',
          spec: { includedNamespaces: ['choosy'] },
        });
        expect((await backup.ended()).phase).toBe('Completed');
        const exec = { container: 'main', command: ['true'], waitTimeout: '90s' };
        await using restore = await StatusRecord.of(cluster.kube, Restore, {
          name: 'choosy',
          spec: {
            backupName: 'choosy',
            namespaceMapping: { choosy: 'chosen' },
            hooks: { resources: [{ name: 'one', postHooks: [{ exec }] }] },
          },
        });
        const stalled = ({ object }: { object: JsonObject }): JsonObject | undefined =>
          objectsAt(object, 'status', 'conditions').find(({ type }) => type === 'Stalled');
        const seen = await restore.until('it is stalled', (one) => stalled(one) !== undefined, 60_000);
        expect(stalled(seen)).toMatchObject({ reason: 'Unschedulable' });
        expect(stalled(seen)?.['message']).toContain('pod chosen/app fits on no node: 0/1 nodes are available');
        const begun = Date.parse(textAt(seen.object, 'status', 'startTimestamp') ?? '');
        // 15 s, and room for a busy machine; whoever was not told why a pod waits would wait for 2 minutes.
        expect(seen.at - begun).toBeLessThan(60_000);
        for await (const { items } of cluster.kube.list({ type: NODE })) {
          for (const { metadata } of items) {
            const body = { metadata: { labels: { choosy: 'yes' } } };
            await cluster.kube.patch({ type: NODE, name: metadata.name }, { kind: 'merge', body });
          }
        }
        const end = await restore.ended();
        expect(end.phase, JSON.stringify(end.object['status'])).toBe('Completed');
        expect(stalled(end)).toBeUndefined();
      },
      150_000,
    );
  });
}

/** Names of the pods that wait for their post hooks. */
function openPods(backup: JsonObject): string[] {
  return objectsAt(backup, 'status', 'openHooks').map((pod) => textAt(pod, 'name') ?? '');
}
