import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type Pocket } from '../../src/pocket/index.ts';
import { Api } from '../contract/api.ts';
import {
  containersOf,
  isOver,
  isReady,
  isRunning,
  log,
  make,
  path,
  podOf,
  sh,
  start,
  waiting,
  waitsFor,
  type PodObject,
} from '../contract/cases/pods/objects.ts';
import { events } from '../contract/cases/pods/view.ts';
import { gone } from '../contract/eventual.ts';
import { eventually } from '../eventually.ts';
import { machinePods } from './machine-pods.ts';
import { smallDisk, startPods } from './pods-process.ts';

/** A file tree with a shell and nothing else. */
function shellFolder(folder: string): string {
  const shell = realpathSync('/bin/sh');
  const needed = spawnSync('ldd', [shell], { encoding: 'utf8' }).stdout.match(/\/\S+/g) ?? [];
  for (const file of needed) {
    mkdirSync(join(folder, dirname(file)), { recursive: true });
    copyFileSync(file, join(folder, file));
  }
  mkdirSync(join(folder, 'bin'), { recursive: true });
  copyFileSync(shell, join(folder, 'bin/sh'));
  return folder;
}

const TEST_MS = 120_000;
const GIBIBYTE = 1024 ** 3;

describe.skipIf(process.platform !== 'linux')('pods that mean no good', { timeout: TEST_MS }, () => {
  let dir = '';
  let pocket: Pocket;
  let api: Api;
  let namespaces = 0;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'headway-hostile-'));
    const state = join(dir, 'state');
    const pods = machinePods({ hidden: [state] });
    pocket = await startPocket({
      dir: join(state, 'pocket'),
      name: 'h',
      port: 0,
      clock: systemClock,
      log: NO_LOG,
      pods,
    });
    api = new Api({ server: pocket.url, caPem: pocket.ca, token: pocket.token });
  });
  afterAll(async () => {
    await api[Symbol.asyncDispose]();
    await pocket.close();
    rmSync(dir, { recursive: true, force: true });
  });
  const stage = async () => {
    const namespace = `h-${(namespaces += 1)}`;
    await api.post('/api/v1/namespaces', { metadata: { name: namespace } });
    return { api, namespace };
  };
  /** The cluster goes on: a pod runs to its end. */
  const goesOn = async () => {
    const here = await stage();
    await start(here, podOf(sh('echo well')), isOver);
    expect(await log(here)).toBe('well\n');
  };
  const ended = (pod: PodObject) => containersOf(pod)[0]?.state['terminated'];

  it('ends a container that forks without end, and says why', async () => {
    const here = await stage();
    const bomb = 'i=0; while [ $i -lt 10000 ]; do sleep 600 & i=$((i+1)); done; wait';
    const pod = await start(here, podOf(sh(bomb)), isOver);
    expect(ended(pod)).toMatchObject({ exitCode: 137, message: expect.stringContaining('processes') as string });
    expect(JSON.stringify(await events(here, pod, ['TooManyProcesses']))).toContain('more than 2000 processes');
    await goesOn();
  });

  it('keeps the end of a log that is too long, and nothing else on the disk', { timeout: 3 * TEST_MS }, async () => {
    const here = await stage();
    const line = 'x'.repeat(1023);
    const script = `yes ${line} | head -n ${GIBIBYTE / 1024}; echo end`;
    const pod = await start(here, podOf(sh(script)), isRunning);
    await goesOn();
    await eventually(
      async () => {
        const { body } = await here.api.get(path(here));
        expect(isOver(body as PodObject)).toBe(true);
      },
      { withinMs: 3 * TEST_MS - 20_000 },
    );
    const kept = join(dir, 'state/pocket/pods', pod.metadata.uid, 'logs/c/0');
    const sizes = readdirSync(kept).map((name) => statSync(join(kept, name)).size);
    expect(sizes.length).toBeLessThanOrEqual(3);
    expect(Math.max(...sizes)).toBeLessThan(11 * 1024 * 1024);
    expect(await log(here, { tailLines: '2' })).toBe(`${line}\nend\n`);
  });

  it('ends who does not listen when the time is over', async () => {
    const here = await stage();
    await start(here, podOf(sh('trap "" TERM; while :; do sleep 1; done')), isReady);
    await here.api.delete(path(here), { query: { gracePeriodSeconds: '1' } });
    expect(await gone(here.api, path(here))).toBe(404);
  });

  it('runs fifty containers in one pod', async () => {
    const here = await stage();
    const many = Array.from({ length: 50 }, (_, index) => sh('exit 0', { name: `c${index}` }));
    const { status } = await start(here, podOf(many), isOver);
    expect([status.phase, status.containerStatuses?.length]).toEqual(['Succeeded', 50]);
  });

  it('shows nobody its own files, also not as a part of the whole machine', async () => {
    for (const hostPath of ['/', dir, join(dir, 'state/pocket'), join(dir, 'state/pocket/pods')]) {
      const here = await stage();
      const volumes = [{ name: 'v', hostPath: { path: hostPath } }];
      const container = sh('ls /v', { volumeMounts: [{ name: 'v', mountPath: '/v' }] });
      const pod = await start(here, podOf(container, { volumes }), waitsFor('ContainerCreating'));
      expect(JSON.stringify(await events(here, pod, ['FailedMount']))).toContain('which no pod may see');
    }
    await goesOn();
  });

  it('leaves no way out of a volume by a link', async () => {
    const here = await stage();
    const volumes = [{ name: 'v', emptyDir: {} }];
    const mount = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
    const initContainers = [sh('ln -s /etc /v/out; ln -s ../../../../../../etc /v/up', { name: 'i', ...mount })];
    const parts = [
      { name: 'v', mountPath: '/a', subPath: 'out' },
      { name: 'v', mountPath: '/b', subPath: 'up' },
    ];
    const script = 'ls -A /a /b; echo mine >/a/f';
    await start(here, podOf(sh(script, { volumeMounts: parts }), { volumes, initContainers }), isOver);
    expect(await log(here)).toBe('/a:\n\n/b:\n');
  });

  it('takes more memory from nobody than from the one who has too much', async () => {
    const here = await stage();
    const limits = { resources: { limits: { memory: '16Mi' } } };
    const pod = await start(here, podOf([sh('exec tail /dev/zero', limits), waiting({ name: 'good' })]), (now) =>
      containersOf(now).some(({ state }) => 'terminated' in state),
    );
    expect(ended(pod)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    expect(containersOf(pod)[1]?.state).toHaveProperty('running');
  });

  it('lets a pod wait for a claim that nobody serves', async () => {
    const here = await stage();
    const spec = {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '1Mi' } },
      storageClassName: 'nope',
    };
    await make(here, 'persistentvolumeclaims', { metadata: { name: 'data' }, spec });
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    const { status } = await start(
      here,
      podOf(sh('exit 0'), { volumes }),
      ({ status: now }) => now.conditions?.length === 1,
    );
    expect(status.conditions?.[0]?.['message']).toContain('unbound immediate PersistentVolumeClaims');
  });

  it('fails a pod of Headway itself that it cannot run, and simulates everybody else', async () => {
    const here = await stage();
    const image = 'nowhere.example.com/nope:1';
    const own = podOf({ ...sh(''), image }, {}, { name: 'own', labels: { 'headway.io/pod': 'mover' } });
    const { status } = await start(here, own, isOver);
    expect(status).toMatchObject({
      phase: 'Failed',
      reason: 'CannotRun',
      message: expect.stringContaining(image) as string,
    });
    // Whatever it would mount: nobody looks.
    const volumes = [
      { name: 'v', nfs: { server: 'nowhere', path: '/' } },
      { name: 'w', configMap: { name: 'nope' } },
    ];
    expect(isReady(await start(here, podOf({ ...sh(''), image }, { volumes }), isReady))).toBe(true);
  });

  it('follows a table of images that users write, also to a folder', async () => {
    const here = await stage();
    const folder = shellFolder(join(dir, 'a folder, with: a name'));
    const images = `registry.example.com/team/*  machine\nnot a row\nsmall  ${folder}\n`;
    await api.post('/api/v1/namespaces/kube-system/configmaps', {
      metadata: { name: 'pocket-images' },
      data: { images },
    });
    await start(here, podOf({ ...sh('echo ran'), image: 'registry.example.com/team/tool:3' }), isOver);
    expect(await log(here)).toBe('ran\n');
    const script = 'echo of /bin/* /etc/*; echo changed >/new; [ -e /usr ] || echo small; read x </new; echo $x';
    const second = podOf({ ...sh(script), image: 'small:1' }, {}, { name: 'small' });
    await start(here, second, isOver);
    expect(await log(here, {}, 'small')).toBe('of /bin/sh /etc/hosts /etc/resolv.conf\nsmall\nchanged\n');
    expect(existsSync(join(folder, 'new'))).toBe(false);
  });
});

const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
describe.skipIf(!isRoot)(
  `a full disk${isRoot ? '' : ' (skipped: a small disk needs root)'}`,
  { timeout: TEST_MS },
  () => {
    const small = async () => {
      const server = await startPods({ around: smallDisk(48) });
      const api = new Api(server.endpoint);
      const here = { api, namespace: 'default' };
      const goesOn = async () => {
        await start(here, podOf(sh('echo well'), {}, { name: 'next' }), isOver);
        expect(await log(here, {}, 'next')).toBe('well\n');
      };
      const end = async () => {
        await api[Symbol.asyncDispose]();
        await server[Symbol.asyncDispose]();
      };
      return { api, here, goesOn, [Symbol.asyncDispose]: end };
    };
    /** Fills a volume and holds on to it, as often as it is let. */
    const filling = (volume: object) => {
      const volumes = [{ name: 'v', ...volume }];
      const container = sh('cat /dev/zero >/v/full; exec sleep 1000', {
        volumeMounts: [{ name: 'v', mountPath: '/v' }],
      });
      return podOf(container, { volumes, restartPolicy: 'Always', terminationGracePeriodSeconds: 60 });
    };
    const EVICTED = {
      phase: 'Failed',
      reason: 'Evicted',
      message: expect.stringContaining('low on resource: ephemeral-storage') as string,
    };

    it('ends the pod that filled it, and the cluster goes on', async () => {
      await using disk = await small();
      const pod = await start(disk.here, podOf(sh('cat /dev/zero >/tmp/full; echo full')), isOver);
      expect(['Succeeded', 'Failed']).toContain(pod.status.phase);
      await disk.goesOn();
    });

    it('evicts a pod that would hold on to it, with its files', async () => {
      await using disk = await small();
      const pod = await start(disk.here, filling({ emptyDir: {} }), isOver);
      expect(pod.status).toMatchObject(EVICTED);
      expect(JSON.stringify(await events(disk.here, pod, ['Evicted']))).toContain('the pod had');
      await disk.goesOn();
    });

    it('keeps what is in a claim, and room to delete it', async () => {
      await using disk = await small();
      const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } };
      await make(disk.here, 'persistentvolumeclaims', { metadata: { name: 'data' }, spec });
      const pod = await start(disk.here, filling({ persistentVolumeClaim: { claimName: 'data' } }), isOver);
      expect(pod.status).toMatchObject(EVICTED);
      expect((await disk.api.delete(path(disk.here))).status).toBe(200);
      const claim = '/api/v1/namespaces/default/persistentvolumeclaims/data';
      expect((await disk.api.delete(claim)).status).toBe(200);
      expect(await gone(disk.api, claim)).toBe(404);
      await disk.goesOn();
    });
  },
);
