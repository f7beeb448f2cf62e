import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Api } from '../contract/api.ts';
import { isReady, path, podOf, sh, start } from '../contract/cases/pods/objects.ts';
import { talk } from '../contract/streams.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { isUp, shellPod } from '../pod-clusters.ts';
import { POD } from '../../src/api/index.ts';
import { treeOf } from '../../src/pocket/node/process/process-tree.ts';
import { HeadwayHome } from '../headway-process.ts';
import { startPods, whyNoOrdinaryUser, type PodsProcess } from './pods-process.ts';

const isLinux = process.platform === 'linux';
const ordinary = whyNoOrdinaryUser();
const isRoot = process.getuid?.() === 0;

/** Processes of the machine whose words have this one in them. */
function processesWith(word: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .map((pid) => readOrNothing(`/proc/${pid}/cmdline`))
    .filter((words) => words.includes(word));
}

function readOrNothing(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return ''; // Gone since the listing.
  }
}

/** A process, told apart from a later one with its number by when it was started. */
const lifeOf = (pid: number): string => {
  const [, , ...rest] = /^(\d+) \(.*\) (.*)$/.exec(readOrNothing(`/proc/${pid}/stat`).trim()) ?? [];
  return `${pid} since ${rest.join(' ').split(' ')[19] ?? 'never'}`;
};

/** Everything that descends from a process, the one itself not included. */
function descendantsOf(pid: number): { pid: number; life: string; words: string }[] {
  return treeOf([pid], 1000)
    .slice(1)
    .map((one) => ({ pid: one, life: lifeOf(one), words: readOrNothing(`/proc/${one}/cmdline`) }));
}

const mountsIn = (dir: string) =>
  readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(dir));

/** A cluster with a pod that has done everything to hide what it started, and a command in it that goes on. */
async function crowded(options: Parameters<typeof startPods>[0]) {
  const server = await startPods(options);
  const api = new Api(server.endpoint);
  const stage = { api, namespace: 'default' };
  // A number that nobody else sleeps for.
  const nap = `98${process.pid}${Math.floor(Math.random() * 1e6)}`;
  // Without a namespace nobody could find who leaves both his session and his environment behind.
  const clean = options?.isPlain === true ? '' : 'env -i ';
  const script = `sleep ${nap}1 & (setsid sleep ${nap}2 &); (setsid ${clean}sleep ${nap}3 &); exec sleep ${nap}4`;
  await start(stage, podOf(sh(script)), isReady);
  const somebody = podOf(sh(`exec sleep ${nap}5`), { securityContext: { runAsUser: 1234 } }, { name: 'q' });
  await start(stage, somebody, isReady);
  // Its end is not waited for: the server goes first.
  talk(api, path(stage, 'p', 'exec'), { command: ['sleep', `${nap}6`] }).catch(() => undefined);
  talk(api, path(stage, 'p', 'exec'), { command: ['sleep', `${nap}7`], tty: true }).catch(() => undefined);
  await eventually(() => {
    const found = processesWith(nap);
    for (let n = 1; n <= 7; n += 1) expect(found.some((words) => words.includes(`${nap}${n}`))).toBe(true);
  });
  return { server, api, nap };
}

/** Two seconds are promised; a busy machine gets more. */
async function endOf(nap: string): Promise<void> {
  await eventually(
    () => {
      expect(processesWith(nap)).toEqual([]);
    },
    { withinMs: 20_000 },
  );
}

async function leave(server: PodsProcess, signal: NodeJS.Signals): Promise<void> {
  server.child.kill(signal);
  await once(server.child, 'exit');
}

const VARIANTS = [
  { name: isRoot ? 'as root' : 'as this user', options: {}, skip: !isLinux },
  { name: 'as an ordinary user', options: { asNobody: isRoot }, skip: ordinary !== undefined || !isRoot },
  { name: 'as plain processes', options: { isPlain: true, asNobody: isRoot }, skip: ordinary !== undefined },
];

describe.each(VARIANTS)('what pods leave behind, $name', { timeout: 60_000 }, ({ options, skip }) => {
  it.skipIf(skip).each(['SIGTERM', 'SIGKILL'] as const)('nothing after %s of the cluster', async (signal) => {
    const { server, api, nap } = await crowded(options);
    await using _closed = api;
    const all = descendantsOf(server.child.pid ?? 0);
    // The shepherd, and at least what was started for two containers and two commands.
    expect(all.length).toBeGreaterThan(4);
    await leave(server, signal);
    await endOf(nap);
    await eventually(
      () => {
        expect(all.filter(({ pid, life }) => lifeOf(pid) === life)).toEqual([]);
      },
      { withinMs: 20_000 },
    );
    expect(mountsIn(server.dir)).toEqual([]);
    const again = await startPods({ ...options, dir: server.dir });
    try {
      const left = readdirSync(join(server.dir, 'pods')).filter((uid) =>
        existsSync(join(server.dir, 'pods', uid, 'containers')),
      );
      expect(left).toEqual([]);
      await using next = new Api(again.endpoint);
      const { body } = await next.get('/api/v1/namespaces/default/pods/p');
      expect(body).toMatchObject({ status: { phase: 'Failed' } });
    } finally {
      await again[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    }
  });

  it.skipIf(skip)('nothing of a container whose first process was killed', async () => {
    await using server = await startPods(options);
    await using api = new Api(server.endpoint);
    const nap = `97${process.pid}${Math.floor(Math.random() * 1e6)}`;
    const stage = { api, namespace: 'default' };
    await start(stage, podOf(sh(`sleep ${nap}1 & exec sleep ${nap}2`)), isReady);
    const first = await eventually(() => {
      const pids = readdirSync('/proc').filter((pid) => readOrNothing(`/proc/${pid}/cmdline`) === `sleep\0${nap}2\0`);
      expect(pids).toHaveLength(1);
      return Number(pids[0]);
    });
    process.kill(first, 'SIGKILL');
    await endOf(nap);
    await eventually(async () => {
      const { body } = await api.get(path(stage));
      expect(body).toMatchObject({
        status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'Error' } } }] },
      });
    });
  });
});

describe.skipIf(!isLinux)('headway pocket down', { timeout: 120_000 }, () => {
  it('leaves no process and no mount of its pods', async () => {
    using home = new HeadwayHome();
    expect(await home.run('pocket', 'up', 'p')).toMatchObject({ code: 0 });
    const dir = join(home.path, 'state/pocket/p');
    const { out } = await home.run('pocket', 'status', 'p', '-o', 'json');
    const [{ pid }] = JSON.parse(out) as [{ pid: number }];
    try {
      const kube = await clientFor(join(dir, 'kubeconfig'));
      await kube.create({ type: POD, namespace: 'default' }, shellPod('p', 'sleep 1000 & sleep 1000'));
      await isUp(kube, 'default', 'p').finally(() => kube.close());
      const all = await eventually(() => {
        const found = descendantsOf(pid);
        expect(found.map(({ words }) => words)).toContain('sleep\x001000\x00');
        return found;
      });
      expect(await home.run('pocket', 'down', 'p')).toMatchObject({ code: 0 });
      await eventually(() => {
        expect(all.filter((one) => lifeOf(one.pid) === one.life)).toEqual([]);
      });
    } finally {
      await home.run('pocket', 'down', 'p');
    }
    expect(mountsIn(dir)).toEqual([]);
  });
});
