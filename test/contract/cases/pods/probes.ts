import type { Case, CaseGroup } from '../../case.ts';
import { talk } from '../../streams.ts';
import { ask } from '../objects.ts';
import {
  containersOf,
  type Fields,
  isReady,
  isRunning,
  node,
  path,
  type PodObject,
  podOf,
  seen,
  start,
  waiting,
} from './objects.ts';
import { events, row, view } from './view.ts';

const often = { periodSeconds: 1, failureThreshold: 1 };
const running = (command: string) => ({ exec: { command: ['sh', '-c', command] }, ...often });
const restarted = (pod: PodObject) => containersOf(pod).some(({ restartCount }) => restartCount > 0);
const startedIs = (value: boolean) => (pod: PodObject) =>
  containersOf(pod).some(({ state, started }) => 'running' in state && started === value);

/** Of a container that listens at 8080 on the pod's address, and answers /well with 200 and all else with 500. */
const SERVER = `require('http').createServer((q, a) => { a.statusCode = q.url === '/well' ? 200 : 500; a.end('told'); }).listen(8080, process.env.IP);`;
const IP = { env: [{ name: 'IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }] };
const server = (fields: Fields): Fields => podOf(node(SERVER, { ...IP, ...fields }));

/** The probe passes, and the pod is ready. */
const passes = (name: string, action: Fields, fields: Fields = {}): Case =>
  ask(name, async (stage) => {
    const readinessProbe = { ...action, periodSeconds: 1, failureThreshold: 30 };
    return view(await start(stage, server({ readinessProbe, ...fields }), isReady));
  });
/** The probe fails, and an event says why. */
const fails = (name: string, pod: Fields, words?: RegExp): Case =>
  ask(name, async (stage) => {
    const made = await start(stage, pod, isRunning);
    const said = await events(stage, made, ['Unhealthy'], words);
    return [said, isReady(await seen(stage, isRunning))];
  });

/** How a container is asked whether it has started, lives and is ready. */
export const podProbes: CaseGroup = {
  group: 'pods-probes',
  cases: [
    ask('it becomes ready, and is no more', async (stage) => {
      const probe = { ...running('test -f /tmp/ready'), periodSeconds: 1 };
      const before = await start(stage, podOf(waiting({ readinessProbe: probe })), startedIs(true));
      const change = async (command: string[]) => await talk(stage.api, path(stage, 'p', 'exec'), { command });
      await change(['touch', '/tmp/ready']);
      const ready = await seen(stage, isReady);
      await change(['rm', '/tmp/ready']);
      const after = await seen(stage, (pod) => !isReady(pod));
      return [view(before), view(ready), view(after), await row(stage)];
    }),
    ask('it is alive no more', async (stage) => {
      const livenessProbe = running('test -f /nowhere');
      const pod = await start(stage, podOf(waiting({ livenessProbe }), { restartPolicy: 'Always' }), restarted);
      return [
        containersOf(pod)[0]?.lastState['terminated']?.['reason'],
        await events(stage, pod, ['Unhealthy', 'Killing']),
      ];
    }),
    ask('it is killed for good where nothing is restarted', async (stage) => {
      const livenessProbe = running('exit 1');
      const over = (pod: PodObject) => pod.status.phase === 'Succeeded' || pod.status.phase === 'Failed';
      const pod = await start(stage, podOf(waiting({ livenessProbe })), over);
      return view(pod);
    }),
    ask('it has not started yet', async (stage) => {
      const startupProbe = { ...running('test -f /tmp/up'), failureThreshold: 30 };
      const before = await start(stage, podOf(waiting({ startupProbe })), startedIs(false));
      await talk(stage.api, path(stage, 'p', 'exec'), { command: ['touch', '/tmp/up'] });
      return [view(before), view(await seen(stage, isReady))];
    }),
    ask('it never starts', async (stage) => {
      const startupProbe = running('exit 7');
      const pod = await start(stage, podOf(waiting({ startupProbe }), { restartPolicy: 'Always' }), restarted);
      return await events(stage, pod, ['Unhealthy', 'Killing']);
    }),
    passes('a request is answered', { httpGet: { path: '/well', port: 8080 } }),
    passes(
      'a port of that name',
      { httpGet: { path: '/well', port: 'web', httpHeaders: [{ name: 'X-A', value: 'b' }] } },
      { ports: [{ name: 'web', containerPort: 8080 }] },
    ),
    passes('a port that is open', { tcpSocket: { port: 8080 } }),
    fails(
      'a request is refused',
      server({ readinessProbe: { httpGet: { path: '/badly', port: 8080 }, ...often } }),
      /statuscode/,
    ),
    fails('a port that is closed', podOf(waiting({ readinessProbe: { tcpSocket: { port: 81 }, ...often } }))),
    fails(
      'an answer that does not come in time',
      podOf(waiting({ readinessProbe: { ...running('sleep 20'), timeoutSeconds: 1 } })),
    ),
    fails('words with the failure', podOf(waiting({ readinessProbe: running('echo so it is; exit 1') }))),
    ask('somebody else has a say', async (stage) => {
      const readinessGates = [{ conditionType: 'example.com/gate' }];
      const ready = ({ status }: PodObject) =>
        status.conditions?.some(({ type, status }) => type === 'ContainersReady' && status === 'True') ?? false;
      const before = await start(stage, podOf(waiting(), { readinessGates }), ready);
      const conditions = [{ type: 'example.com/gate', status: 'True' }];
      await stage.api.patch(path(stage, 'p', 'status'), 'strategic-merge', { status: { conditions } });
      return [view(before), isReady(await seen(stage, isReady))];
    }),
  ],
};
