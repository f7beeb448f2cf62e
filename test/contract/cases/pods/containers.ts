import { eventually } from '../../../eventually.ts';
import type { Case, CaseGroup } from '../../case.ts';
import { ask } from '../objects.ts';
import {
  containersOf,
  type Fields,
  FOREVER,
  isOver,
  isReady,
  isRunning,
  log,
  path,
  type PodObject,
  podOf,
  saying,
  sh,
  start,
  waiting,
  waitsFor,
} from './objects.ts';
import { events, row, view } from './view.ts';

const shared = { volumes: [{ name: 'v', emptyDir: {} }] };
const inV = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
const first = (...initContainers: Fields[]) => ({ initContainers, ...shared });
const sidecar = (script: string, fields: Fields = {}): Fields =>
  sh(script, { name: 'side', restartPolicy: 'Always', ...inV, ...fields });

const shows = (name: string, pod: Fields, fits: (pod: PodObject) => boolean): Case =>
  ask(name, async (stage) => ({ ...view(await start(stage, pod, fits)), row: await row(stage) }));

/** Containers that come first, beside and around the others. */
export const podContainers: CaseGroup = {
  group: 'pods-containers',
  cases: [
    ask('what comes first is over before the next begins', (stage) =>
      saying(
        stage,
        podOf(
          sh('cat /v/order', inV),
          first(
            sh('sleep 0.3; echo 1 >>/v/order', { name: 'one', ...inV }),
            sh('echo 2 >>/v/order', { name: 'two', ...inV }),
          ),
        ),
      ),
    ),
    shows('what comes first is at work', podOf(waiting(), first(sh('exec sleep 1000', { name: 'i' }))), isRunning),
    shows('what comes first fails', podOf(sh('exit 0'), first(sh('exit 9', { name: 'i' }))), isOver),
    shows(
      'what comes first fails again and again',
      podOf(sh('exit 0'), { ...first(sh('exit 9', { name: 'i' })), restartPolicy: 'OnFailure' }),
      waitsFor('CrashLoopBackOff'),
    ),
    shows('all is over that came first', podOf(waiting(), first(sh('exit 0', { name: 'i' }))), isReady),
    shows('what runs beside it', podOf(waiting(), first(sidecar(`trap "exit 0" TERM; ${FOREVER}`))), isReady),
    shows(
      'what runs beside it ends with it',
      podOf(sh('exit 0'), first(sidecar(`trap "exit 0" TERM; ${FOREVER}`))),
      (pod) => isOver(pod) && containersOf(pod).every(({ state }) => 'terminated' in state),
    ),
    ask('what runs beside it is started up before it', (stage) =>
      saying(
        stage,
        podOf(
          sh('cat /v/ready', inV),
          first(
            sidecar(`trap "exit 0" TERM; sleep 1; echo up >/v/ready; ${FOREVER}`, {
              startupProbe: { exec: { command: ['test', '-f', '/v/ready'] }, periodSeconds: 1, failureThreshold: 20 },
            }),
          ),
        ),
      ),
    ),
    shows(
      'what runs beside it is started again',
      podOf(waiting(), first(sidecar('[ -f /v/seen ] && exec sleep 1000; touch /v/seen; exit 0'))),
      (pod) =>
        containersOf(pod).some(({ name, restartCount }) => name === 'side' && restartCount === 1) && isReady(pod),
    ),
    ask('a hook when it has started', async (stage) => {
      const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'echo started >/v/hook'] } } };
      return await saying(
        stage,
        podOf(sh('while [ ! -f /v/hook ]; do sleep 0.1; done; cat /v/hook', { ...inV, lifecycle }), shared),
      );
    }),
    ask('a hook that fails when it has started', async (stage) => {
      const lifecycle = { postStart: { exec: { command: ['sh', '-c', 'exit 8'] } } };
      const pod = await start(stage, podOf(waiting({ lifecycle })), isOver);
      return [pod.status.phase, await events(stage, pod, ['FailedPostStartHook'])];
    }),
    ask('a hook before it is stopped', async (stage) => {
      const lifecycle = { preStop: { exec: { command: ['sh', '-c', 'echo stopping >/proc/1/fd/1'] } } };
      await start(stage, podOf(waiting({ lifecycle }), { terminationGracePeriodSeconds: 5 }), isRunning);
      let heard = '';
      const following = (async () => {
        for await (const piece of stage.api.stream(path(stage, 'p', 'log'), { follow: 'true' })) heard += piece;
      })();
      await stage.api.delete(path(stage));
      await following;
      return heard;
    }),
    ask('two containers see the same folder', async (stage) => {
      const containers = [
        sh('echo "from a" >/v/f; exec sleep 1000', { name: 'a', ...inV }),
        sh('while [ ! -s /v/f ]; do sleep 0.1; done; cat /v/f; exec sleep 1000', { name: 'b', ...inV }),
      ];
      await start(stage, podOf(containers, shared), isReady);
      return await eventually(async () => {
        const said = await log(stage, { container: 'b' });
        if (said === '') throw new Error('nothing said yet');
        return said;
      });
    }),
    ask('a dozen containers', async (stage) => {
      const many = Array.from({ length: 12 }, (_, index) => sh('exit 0', { name: `c${index}` }));
      const { status } = await start(stage, podOf(many), isOver);
      return [status.phase, status.containerStatuses?.length];
    }),
  ],
};
