import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type Pocket } from '../../src/pocket/index.ts';
import { Api } from '../contract/api.ts';
import {
  containersOf,
  isOver,
  isReady,
  log,
  make,
  node,
  path,
  podOf,
  seen,
  sh,
  start,
  waiting,
  waitsFor,
} from '../contract/cases/pods/objects.ts';
import { events } from '../contract/cases/pods/view.ts';
import { talk } from '../contract/streams.ts';
import { eventually } from '../eventually.ts';
import { machinePods } from './machine-pods.ts';

const NAMESPACE = 'default';

describe.skipIf(process.platform !== 'linux')('pods while the world changes', { timeout: 60_000 }, () => {
  let dir = '';
  let pocket: Pocket;
  let api: Api;
  const open = async (): Promise<void> => {
    pocket = await startPocket({ dir, name: 'go', port: 0, clock: systemClock, log: NO_LOG, pods: machinePods() });
    api = new Api({ server: pocket.url, caPem: pocket.ca, token: pocket.token });
  };
  const close = async (): Promise<void> => {
    await api[Symbol.asyncDispose]();
    await pocket.close();
  };
  beforeEach(async () => {
    dir = mkdtempSync(join(tmpdir(), 'headway-go-on-'));
    await open();
  });
  afterEach(async () => {
    await close();
    rmSync(dir, { recursive: true, force: true });
  });
  const here = () => ({ api, namespace: NAMESPACE });
  const said = async (...command: string[]): Promise<string> => {
    const heard = await talk(api, path(here(), 'p', 'exec'), { command });
    return 'stdout' in heard ? heard.stdout : JSON.stringify(heard);
  };

  it('shows what a config map has become, and what a pod is called now', async () => {
    await make(here(), 'configmaps', { metadata: { name: 'cm' }, data: { a: 'before' } });
    const volumes = [
      { name: 'v', configMap: { name: 'cm' } },
      { name: 'w', downwardAPI: { items: [{ path: 'labels', fieldRef: { fieldPath: 'metadata.labels' } }] } },
    ];
    const volumeMounts = [
      { name: 'v', mountPath: '/v' },
      { name: 'w', mountPath: '/w' },
    ];
    await start(here(), podOf(waiting({ volumeMounts }), { volumes }), isReady);
    expect(await said('cat', '/v/a')).toBe('before');
    await api.patch(`/api/v1/namespaces/${NAMESPACE}/configmaps/cm`, 'merge', { data: { a: 'after', b: 'new' } });
    await api.patch(path(here()), 'merge', { metadata: { labels: { stage: 'two' } } });
    await eventually(async () => {
      expect(await said('cat', '/v/a', '/v/b', '/w/labels')).toBe('afternewstage="two"');
    });
  });

  it('starts what waited for a secret as soon as that is there', async () => {
    const env = [{ name: 'A', valueFrom: { secretKeyRef: { name: 'late', key: 'k' } } }];
    await start(here(), podOf(sh('echo "$A"', { env })), waitsFor('CreateContainerConfigError'));
    await make(here(), 'secrets', { metadata: { name: 'late' }, stringData: { k: 'here' } });
    await seen(here(), isOver);
    expect(await log(here())).toBe('here\n');
  });

  it('goes on after a restart of the cluster: by restart policy, with its volumes, and pretending as before', async () => {
    const volumes = [{ name: 'v', emptyDir: {} }];
    const volumeMounts = [{ name: 'v', mountPath: '/v' }];
    const script = 'echo life >>/v/lives; wc -l </v/lives; exec sleep 1000';
    await start(here(), podOf(sh(script, { volumeMounts }), { volumes, restartPolicy: 'Always' }), isReady);
    const pretended = { ...sh(''), image: 'registry.example.com/db:1' };
    await start(here(), podOf(pretended, { restartPolicy: 'Always' }, { name: 'pretended' }), isReady);
    await start(here(), podOf(waiting(), {}, { name: 'once' }), isReady);
    await close();
    await open();
    const pod = await seen(here(), (now) => isReady(now) && containersOf(now)[0]?.restartCount === 1);
    expect(containersOf(pod)[0]?.lastState['terminated']).toMatchObject({ exitCode: 255, reason: 'Unknown' });
    expect(await log(here())).toBe('2\n');
    expect(await log(here(), { previous: 'true' })).toBe('1\n');
    const { body } = await api.get(path(here(), 'pretended'));
    expect(body).toMatchObject({ status: { phase: 'Running', containerStatuses: [{ restartCount: 0, ready: true }] } });
    expect((await seen(here(), isOver, 'once')).status.phase).toBe('Failed');
  });

  it('leaves no file of a pod that is gone, also when it is forgotten while it starts', async () => {
    for (let n = 0; n < 8; n += 1) await make(here(), 'pods', podOf(waiting(), {}, { name: `quick-${n}` }));
    await api.delete(`/api/v1/namespaces/${NAMESPACE}/pods`, { query: { gracePeriodSeconds: '0' } });
    await eventually(
      () => {
        expect(readdirSync(join(dir, 'pods'))).toEqual([]);
      },
      { withinMs: 20_000 },
    );
  });

  it('waits for a pod that was deleted by force when the cluster stops', async () => {
    await start(here(), podOf(sh('trap "" TERM; while :; do sleep 0.1; done')), isReady);
    await api.delete(path(here()), { query: { gracePeriodSeconds: '0' } });
    await close();
    expect(readdirSync(join(dir, 'pods'))).toEqual([]);
    await open();
  });

  it('has a token file that is empty, and says so', async () => {
    const volumes = [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 'token' } }] } }];
    const container = sh('wc -c </v/token', { volumeMounts: [{ name: 'v', mountPath: '/v' }] });
    const pod = await start(here(), podOf(container, { volumes }), isOver);
    expect(await log(here())).toBe('0\n');
    expect(JSON.stringify(await events(here(), pod, ['EmptyToken']))).toContain('empty token');
  });

  it('finds a service that came later by its name', async () => {
    await start(here(), podOf(waiting()), isReady);
    const listen = `require('net').createServer((s) => s.end('found')).listen(8000, process.env.IP)`;
    const env = [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }];
    const server = node(listen, { env, readinessProbe: { tcpSocket: { port: 8000 }, periodSeconds: 1 } });
    await start(here(), podOf(server, {}, { name: 'server', labels: { app: 's' } }), isReady);
    const ports = [{ port: 8100, targetPort: 8000 }];
    await make(here(), 'services', { metadata: { name: 'later' }, spec: { selector: { app: 's' }, ports } });
    // The name is there before the pods behind it are.
    const once = `require('net').connect(8100, 'later').on('data', (d) => console.log(String(d)))`;
    const ask = `const go = () => ${once}.on('error', () => setTimeout(go, 100)); go()`;
    await eventually(async () => {
      expect(await said('grep', '-c', 'later.default.svc', '/etc/hosts')).toBe('1\n');
    });
    await start(here(), podOf(node(ask), {}, { name: 'client' }), isOver);
    expect(await log(here(), {}, 'client')).toBe('found\n');
  });

  it('has nothing of its own in the folder of the cluster after it was stopped', async () => {
    await start(here(), podOf(waiting()), isReady);
    await close();
    expect(readdirSync(dir).toSorted()).not.toContain('pipes');
    const [uid = ''] = readdirSync(join(dir, 'pods'));
    expect(existsSync(join(dir, 'pods', uid, 'containers'))).toBe(false);
    await open();
  });
});
