import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { NODE, POD } from '../../src/api/index.ts';
import { AppError, NO_LOG, objectAt, type JsonObject } from '../../src/base/index.ts';
import { podName, PodRunner, removePodsOf, type PodEnd, type PodRequest } from '../../src/control/pods/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { scratch } from '../bed/scratch.ts';
import { eventually } from '../eventually.ts';
import { lineToCluster } from '../faults/line-to-cluster.ts';
import { clientFor } from '../kube-client.ts';
import { CONFIG_MAPS, NAMESPACES, newNamespace, objectOf } from '../kube-kinds.ts';
import { describeOn, podClusters, sayIn, shellPod, type PodCluster } from '../pod-clusters.ts';

const CANCELED = new AppError('canceled', 'it was canceled');
const STOPPED = new AppError('canceled', 'this process stops');

for (const kind of await podClusters()) {
  describeOn(kind, kind.title('pods that are run to their end'), { timeout: 90_000 }, () => {
    const isKubelet = kind.name === 'kubelet';
    const only = isKubelet ? '' : ' (skipped: only a kubelet does that)';
    let cluster: PodCluster;
    let kube: KubeClient;
    let namespace: string;
    let owner: PodRequest['owner'];
    beforeAll(async () => {
      cluster = await kind.start();
      ({ kube } = cluster);
      namespace = await newNamespace(kube);
      const object = await kube.create({ type: CONFIG_MAPS, namespace }, objectOf(CONFIG_MAPS, 'owner'));
      owner = { type: CONFIG_MAPS, object };
    }, 120_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });

    /** A program in a pod, with everything that is heard of it. */
    function run(script: string, more: Partial<PodRequest> & { container?: string; by?: KubeClient } = {}) {
      const { by = kube, ...request } = more;
      const stop = new AbortController();
      const heard = { lines: [] as string[], told: [] as string[], reasons: new Set<string>(), startedAt: Date.now() };
      const log = NO_LOG;
      const api = () => ({ call: <T>(ask: () => Promise<T>) => ask() });
      const runner = new PodRunner({ kube: by, clock: systemClock, random: Math.random, log, api }, stop.signal);
      const name = request.name ?? podName('task', [randomBytes(8).toString('hex')]);
      const ended = runner
        .run(
          {
            ...{ name, namespace, purpose: 'task', owner, deadlineMs: 80_000 },
            spec: objectAt(shellPod('x', script), 'spec'),
            ...request,
          },
          {
            signal: stop.signal,
            lasting: new AbortController().signal,
            isCanceled: ({ reason }) => reason === CANCELED,
            onLine: ({ line }) => void heard.lines.push(line),
            onWaiting: () => ({
              tell: ({ message }) => heard.told.push(message),
              explain: (why) => why !== undefined && heard.reasons.add(why.reason),
              end: () => undefined,
            }),
          },
        )
        .finally(() => runner.close());
      ended.catch(() => undefined);
      return { name, ended, stop, heard };
    }
    const isGone = async (name: string): Promise<void> => {
      await expect(kube.get({ type: POD, namespace, name })).rejects.toMatchObject({ code: 'notFound' });
    };
    const count = (to: number) => Array.from({ length: to }, (_, index) => String(index + 1));

    it('give their exit code and every line once, and are gone', async () => {
      const { name, ended, heard } = run('for i in $(seq 1 2000); do echo $i; done; exit 3');
      expect(await ended).toEqual<PodEnd>({ exitCode: 3 });
      expect(heard.lines).toEqual(count(2000));
      await isGone(name);
    });

    it('lose no line when the connection breaks, again and again', async () => {
      using place = scratch();
      const kubeconfig = join(place.directory, 'kubeconfig');
      await using line = await lineToCluster(cluster.kubeconfig, kubeconfig);
      const by = await clientFor(kubeconfig);
      const { ended, heard } = run('for i in $(seq 1 300); do echo $i; sleep 0.02; done', { by });
      for (const after of [20, 80, 150, 260]) {
        await eventually(
          () => {
            expect(heard.lines.length).toBeGreaterThan(after);
          },
          { withinMs: 30_000 },
        );
        line.cut();
        line.mend();
      }
      expect(await ended).toEqual({ exitCode: 0 });
      expect(heard.lines).toEqual(count(300));
      await by.close();
    });

    it('are found again by the next process', async () => {
      const first = run('for i in $(seq 1 30); do echo $i; sleep 0.1; done; exit 4');
      await eventually(
        () => {
          expect(first.heard.lines.length).toBeGreaterThan(5);
        },
        { withinMs: 30_000 },
      );
      const { uid } = (await kube.get({ type: POD, namespace, name: first.name })).metadata;
      first.stop.abort(STOPPED);
      await expect(first.ended).rejects.toBe(STOPPED);
      expect((await kube.get({ type: POD, namespace, name: first.name })).metadata.uid).toBe(uid);
      const second = run('echo never', { name: first.name });
      expect(await second.ended).toEqual({ exitCode: 4 });
      expect(second.heard.lines).toEqual(count(30));
      await isGone(first.name);
    });

    it('are ended and removed when they are canceled', async () => {
      const { name, ended, stop, heard } = run('echo on; sleep 1000');
      await eventually(
        () => {
          expect(heard.lines).toEqual(['on']);
        },
        { withinMs: 30_000 },
      );
      stop.abort(CANCELED);
      await expect(ended).rejects.toBe(CANCELED);
      await isGone(name);
    });

    it('are given up soon when they cannot succeed, with the reason', async () => {
      const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'nobody' } }];
      const hopeless: [string, { container?: JsonObject; spec?: JsonObject }][] = [
        [
          'CreateContainerConfigError',
          { container: { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'no', key: 'k' } } }] } },
        ],
        ['ClaimMissing', { container: { volumeMounts: [{ name: 'v', mountPath: '/v' }] }, spec: { volumes } }],
        ...(isKubelet ? [['InvalidImageName', { container: { image: 'UPPER' } }] as [string, object]] : []),
      ];
      const given = hopeless.map(async ([reason, more]) => {
        const { name, ended, heard } = run('', { spec: objectAt(shellPod('x', 'exit 0', more), 'spec') });
        await expect(ended).rejects.toMatchObject({ code: 'invalid', details: { reason } });
        // With room for a busy machine; the pod's own time would be 80 s.
        expect(Date.now() - heard.startedAt).toBeLessThan(50_000);
        expect([...heard.reasons]).toEqual([reason]);
        await isGone(name);
      });
      await Promise.all([...given, ...(isKubelet ? [notLetIn()] : [])]);
    });

    async function notLetIn(): Promise<void> {
      const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
      const strict = `${namespace}-strict`;
      await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, strict, { metadata: { labels } }));
      const { ended } = run('exit 0', { namespace: strict });
      await expect(ended).rejects.toMatchObject({ code: 'forbidden', details: { reason: 'PodSecurity' } });
    }

    it.skipIf(!isKubelet)(
      `lose no line when the log is rotated, and the connection breaks after that${only}`,
      async () => {
        using place = scratch();
        const kubeconfig = join(place.directory, 'kubeconfig');
        await using line = await lineToCluster(cluster.kubeconfig, kubeconfig);
        const by = await clientFor(kubeconfig);
        // More than a kubelet keeps in one file at once, then slowly on while it looks, which it does every ten seconds.
        const burst = `awk 'BEGIN { p = sprintf("%0100d", 0); for (i = 1; i <= 110000; i++) print i, p }'`;
        const slowly = 'i=110000; until [ -e /tmp/enough ]; do i=$((i + 1)); echo $i; sleep 0.1; done; echo end';
        const { name, ended, heard } = run(`${burst}; ${slowly}`, { by });
        const heardMore = async (than: number): Promise<void> => {
          await eventually(
            () => {
              expect(heard.lines.length).toBeGreaterThan(than);
            },
            { withinMs: 30_000 },
          );
        };
        const logs = join(cluster.bed!.clusters[0]!.node!.volumes, '../var/log/pods');
        const log = (ending: RegExp): string => {
          const files = readdirSync(logs, { recursive: true }).map(String);
          const found = files.find((file) => file.includes(`_${name}_`) && ending.test(file));
          if (found === undefined) throw new Error(`there is no ${ending.source} of ${name}`);
          return join(logs, found);
        };
        // A kubelet gives nothing of a file that it has put aside: up to there it must have been heard.
        const first = await eventually(
          () => {
            log(/0\.log\.\d/);
            const [, number] = /^\S+ stdout F (\d+)\n/.exec(readFileSync(log(/0\.log$/), 'utf8')) ?? [];
            return Number(number ?? expect.fail('nothing is in the new file yet'));
          },
          { withinMs: 45_000 },
        );
        await heardMore(first);
        for (let cuts = 0; cuts < 3; cuts += 1) {
          line.cut();
          line.mend();
          await heardMore(heard.lines.length);
        }
        await sayIn(kube, { namespace, name }, 'touch /tmp/enough');
        expect(await ended).toEqual({ exitCode: 0 });
        expect(heard.lines.pop()).toBe('end');
        expect(heard.lines.map((text) => text.split(' ')[0])).toEqual(count(heard.lines.length));
        await by.close();
      },
    );

    it.skipIf(!isKubelet)(`are waited for while no node fits, and run when one does${only}`, async () => {
      const spec = objectAt(shellPod('x', 'echo at last', { spec: { nodeSelector: { [namespace]: 'yes' } } }), 'spec');
      const { ended, heard } = run('', { spec });
      await eventually(
        () => {
          expect([...heard.reasons]).toEqual(['Unschedulable']);
        },
        { withinMs: 30_000 },
      );
      expect(heard.told.at(-1)).toContain('fits on no node: 0/1 nodes are available');
      for await (const { items } of kube.list({ type: NODE })) {
        for (const { metadata } of items) {
          const body = { metadata: { labels: { [namespace]: 'yes' } } };
          await kube.patch({ type: NODE, name: metadata.name }, { kind: 'merge', body });
        }
      }
      expect(await ended).toEqual({ exitCode: 0 });
      expect(heard.lines).toEqual(['at last']);
    });

    it.skipIf(!isKubelet)(`fail with what killed them${only}`, async () => {
      const container = { resources: { limits: { memory: '32Mi' } } };
      const spec = objectAt(shellPod('x', 'echo begun; tail /dev/zero', { container }), 'spec');
      const { ended, heard } = run('', { spec });
      await expect(ended).rejects.toThrow('needs more memory than its limit of 32Mi');
      expect(heard.lines).toEqual(['begun']);
    });

    it('go with what they were for, by their label', async () => {
      const { name, ended, stop } = run('sleep 1000');
      await eventually(async () => await kube.get({ type: POD, namespace, name }), { withinMs: 30_000 });
      stop.abort(STOPPED);
      await expect(ended).rejects.toBe(STOPPED);
      const uid = owner.object.metadata.uid ?? '';
      expect(await removePodsOf(uid, { kube, clock: systemClock }, AbortSignal.timeout(10_000))).toBe(1);
      await eventually(async () => {
        await isGone(name);
      });
    });
  });
}
