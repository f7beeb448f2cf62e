import type { Case, CaseGroup } from '../../case.ts';
import { ask } from '../objects.ts';
import {
  type Fields,
  isRunning,
  isOver,
  make,
  type PodObject,
  podOf,
  sh,
  start,
  waiting,
  waitsFor,
} from './objects.ts';
import { events, row, view } from './view.ts';

const shows = (name: string, pod: Fields, fits: (pod: PodObject) => boolean): Case =>
  ask(name, async (stage) => ({ ...view(await start(stage, pod, fits)), row: await row(stage) }));
const misconfigured = (name: string, container: Fields, spec: Fields = {}): Case =>
  shows(name, podOf(sh('exit 0', container), spec), waitsFor('CreateContainerConfigError'));
const from = (name: string, valueFrom: Fields): Fields => ({ env: [{ name, valueFrom }] });

/** A pod whose volume cannot be had: it waits, and an event says why. */
const unmounted = (name: string, source: Fields): Case =>
  ask(name, async (stage) => {
    const spec = { volumes: [{ name: 'v', ...source }] };
    const container = sh('exit 0', { volumeMounts: [{ name: 'v', mountPath: '/v' }] });
    const pod = await start(stage, podOf(container, spec), waitsFor('ContainerCreating'));
    return { ...view(pod), row: await row(stage), events: await events(stage, pod, ['FailedMount']) };
  });
const SIMULATED = 'Simulated: a pocket cluster runs what the machine has, and cannot fetch images.';

/** Why pods do not start, in the words that clients look for. */
export const podWaiting: CaseGroup = {
  group: 'pods-waiting',
  cases: [
    misconfigured('no such config map', from('A', { configMapKeyRef: { name: 'nope', key: 'k' } })),
    misconfigured('no such secret', from('A', { secretKeyRef: { name: 'nope', key: 'k' } })),
    misconfigured('no such config map for all of it', { envFrom: [{ configMapRef: { name: 'nope' } }] }),
    ask('no such key', async (stage) => {
      await make(stage, 'configmaps', { metadata: { name: 'cm' }, data: { a: '1' } });
      const container = sh('exit 0', from('A', { configMapKeyRef: { name: 'cm', key: 'k' } }));
      return view(await start(stage, podOf(container), waitsFor('CreateContainerConfigError')));
    }),
    misconfigured('it must not be root', { securityContext: { runAsNonRoot: true } }),
    unmounted('no such config map to mount', { configMap: { name: 'nope' } }),
    unmounted('no such secret to mount', { secret: { secretName: 'nope' } }),
    ask('no such key to mount', async (stage) => {
      await make(stage, 'configmaps', { metadata: { name: 'cm' }, data: { a: '1' } });
      const spec = { volumes: [{ name: 'v', configMap: { name: 'cm', items: [{ key: 'k', path: 'k' }] } }] };
      const container = sh('exit 0', { volumeMounts: [{ name: 'v', mountPath: '/v' }] });
      const pod = await start(stage, podOf(container, spec), waitsFor('ContainerCreating'));
      return await events(stage, pod, ['FailedMount']);
    }),
    shows('an image whose name is none', podOf({ ...sh(''), image: 'UPPER' }), waitsFor('InvalidImageName')),
    {
      name: 'an image that nobody has',
      pocketDiffers: SIMULATED,
      run: async (stage) => {
        const pod = podOf({ ...sh(''), image: 'nowhere.example.com/nope:1' });
        const made = await start(
          stage,
          pod,
          (seen) =>
            isRunning(seen) || isOver(seen) || waitsFor('ErrImagePull')(seen) || waitsFor('ImagePullBackOff')(seen),
        );
        return [made.status.phase, isRunning(made)];
      },
    },
    {
      name: 'an image that must be there and is not',
      pocketDiffers: SIMULATED,
      run: async (stage) => {
        const pod = podOf({ ...sh(''), image: 'nope:1', imagePullPolicy: 'Never' });
        const made = await start(
          stage,
          pod,
          (seen) => isRunning(seen) || isOver(seen) || waitsFor('ErrImageNeverPull')(seen),
        );
        return [view(made), await row(stage)];
      },
    },
  ],
};

/** What is said about a pod while it goes its way. */
export const podEvents: CaseGroup = {
  group: 'pods-events',
  cases: [
    ask('it runs', async (stage) => {
      const pod = await start(stage, podOf(sh('exit 0')), isOver);
      return await events(stage, pod, ['Scheduled', 'Pulled', 'Created', 'Started']);
    }),
    ask('it is ended', async (stage) => {
      const pod = await start(stage, podOf(waiting()), isRunning);
      await stage.api.delete(`/api/v1/namespaces/${stage.namespace}/pods/p`);
      return await events(stage, pod, ['Killing']);
    }),
    ask('it fails again and again', async (stage) => {
      const pod = await start(stage, podOf(sh('exit 1'), { restartPolicy: 'Always' }), waitsFor('CrashLoopBackOff'));
      return await events(stage, pod, ['BackOff']);
    }),
    ask('no node is fit for it', async (stage) => {
      const pod = podOf(waiting(), { nodeSelector: { disk: 'none' } });
      const made = await start(stage, pod, ({ status }) => status.conditions?.length === 1);
      return await events(stage, made, ['FailedScheduling']);
    }),
    ask('it is misconfigured', async (stage) => {
      const container = sh('exit 0', from('A', { configMapKeyRef: { name: 'nope', key: 'k' } }));
      const pod = await start(stage, podOf(container), waitsFor('CreateContainerConfigError'));
      return await events(stage, pod, ['Failed']);
    }),
    ask('it takes longer than it may', async (stage) => {
      const pod = await start(stage, podOf(waiting(), { activeDeadlineSeconds: 1 }), isOver);
      return await events(stage, pod, ['DeadlineExceeded']);
    }),
  ],
};
