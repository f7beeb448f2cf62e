import type { Case, CaseGroup } from '../../case.ts';
import { until } from '../../eventual.ts';
import { ask, pick } from '../objects.ts';
import {
  containersOf,
  type Fields,
  isOver,
  isReady,
  isUnschedulable,
  type PodObject,
  podOf,
  saying,
  sh,
  start,
  waiting,
  waitsFor,
} from './objects.ts';
import { row, view } from './view.ts';

/** What is seen of a pod once it fits, and its row in a table. */
const shows = (name: string, pod: Fields, fits: (pod: PodObject) => boolean): Case =>
  ask(name, async (stage) => ({ ...view(await start(stage, pod, fits)), row: await row(stage) }));

const emptyDir = { volumes: [{ name: 'v', emptyDir: {} }] };
const mounted = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
const restarts = (count: number) => (pod: PodObject) => containersOf(pod).some((one) => one.restartCount >= count);

/** How pods begin, go on and end. */
export const podPhases: CaseGroup = {
  group: 'pods-phases',
  cases: [
    shows('it ends well', podOf(sh('exit 0')), isOver),
    shows('it ends with a code', podOf(sh('exit 3')), isOver),
    shows('it runs and is ready', podOf(waiting()), isReady),
    ask('every field of a status', async (stage) => {
      const { status } = await start(stage, podOf(waiting()), isReady);
      const fields = (value: object) => Object.keys(value).toSorted();
      const condition = status.conditions?.find(({ type }) => type === 'Ready') ?? {};
      return {
        status: fields(status),
        condition: fields(condition),
        container: fields(containersOf({ status } as PodObject)[0] ?? {}),
        observedGeneration: (status as Fields)['observedGeneration'],
        qosClass: (status as Fields)['qosClass'],
      };
    }),
    shows('it is killed', podOf(sh('sh -c "kill -9 \\$\\$"; exit $?')), isOver),
    ask('its program is not there', async (stage) => {
      const pod = await start(stage, podOf({ ...sh(''), command: ['/nowhere/nothing'] }), isOver);
      const state = containersOf(pod)[0]?.state['terminated'];
      return [pod.status.phase, state?.reason, state?.exitCode, await row(stage)];
    }),
    shows(
      'it takes more memory than it may',
      podOf(sh('exec tail /dev/zero', { resources: { limits: { memory: '16Mi' } } })),
      isOver,
    ),
    shows(
      'it takes longer than it may',
      podOf(waiting(), { activeDeadlineSeconds: 1 }),
      (pod) => isOver(pod) && containersOf(pod).every(({ state }) => 'terminated' in state),
    ),
    shows(
      'one of two ends well, one does not',
      podOf([sh('exit 0', { name: 'a' }), sh('exit 2', { name: 'b' })]),
      isOver,
    ),
    shows(
      'one of two is over',
      podOf([sh('exit 1', { name: 'a' }), waiting({ name: 'b' })]),
      (pod) => pod.status.phase === 'Running' && containersOf(pod).some(({ state }) => 'terminated' in state),
    ),
    shows(
      'it is started again after a failure, and then ends well',
      podOf(sh('[ -f /v/seen ] && exit 0; touch /v/seen; exit 4', mounted), {
        ...emptyDir,
        restartPolicy: 'OnFailure',
      }),
      isOver,
    ),
    shows(
      'it is started again although it ended well',
      podOf(sh('[ -f /v/seen ] && exec sleep 1000; touch /v/seen; exit 0', mounted), {
        ...emptyDir,
        restartPolicy: 'Always',
      }),
      (pod) => restarts(1)(pod) && isReady(pod),
    ),
    shows('it fails again and again', podOf(sh('exit 1'), { restartPolicy: 'Always' }), waitsFor('CrashLoopBackOff')),
    shows('its last words', podOf(sh('printf "done with it" >/dev/termination-log; exit 5')), isOver),
    shows(
      'its last words are in its log',
      podOf(sh('echo one; echo two; exit 6', { terminationMessagePolicy: 'FallbackToLogsOnError' })),
      isOver,
    ),
    shows(
      'its last words are elsewhere',
      podOf(sh('printf there >/tmp/words', { terminationMessagePath: '/tmp/words' })),
      isOver,
    ),
    ask('its name is its host name', (stage) =>
      saying(stage, podOf(sh('hostname; [ $(grep -cw "$(hostname)" /etc/hosts) -gt 0 ] && echo known'))),
    ),
    ask('it has another host name', (stage) => saying(stage, podOf(sh('hostname'), { hostname: 'elsewhere' }))),
    ask('where it works', (stage) => saying(stage, podOf(sh('pwd', { workingDir: '/tmp' })))),
    ask('arguments behind the command', (stage) =>
      saying(stage, podOf({ ...sh(''), command: ['sh', '-c', 'echo "$0:$1"'], args: ['a', 'b c'] })),
    ),
    shows('no node is fit for it', podOf(waiting(), { nodeSelector: { disk: 'none' } }), isUnschedulable),
    shows('no node has enough for it', podOf(waiting({ resources: { requests: { cpu: '10000' } } })), isUnschedulable),
    shows('it is held back', podOf(waiting(), { schedulingGates: [{ name: 'example.com/gate' }] }), isUnschedulable),
    ask('a deployment of it is available', async (stage) => {
      const deployments = `/apis/apps/v1/namespaces/${stage.namespace}/deployments`;
      const { spec } = podOf(waiting(), { restartPolicy: 'Always' });
      const labels = { app: 'd' };
      const template = { metadata: { labels }, spec };
      await stage.api.post(deployments, {
        metadata: { name: 'd' },
        spec: { replicas: 2, selector: { matchLabels: labels }, template },
      });
      const answer = await until(
        stage.api,
        `${deployments}/d`,
        (seen) => pick(seen, 'status', 'availableReplicas') === 2,
      );
      return [pick(answer, 'status', 'readyReplicas'), pick(answer, 'status', 'updatedReplicas')];
    }),
    ask('jobs of it end well or not', async (stage) => {
      const jobs = `/apis/batch/v1/namespaces/${stage.namespace}/jobs`;
      const ending = async (name: string, code: number) => {
        const { spec } = podOf(sh(`exit ${code}`));
        await stage.api.post(jobs, { metadata: { name }, spec: { backoffLimit: 0, template: { spec } } });
        const over = (status: unknown) => (status as { conditions?: unknown[] } | undefined)?.conditions?.length === 2;
        const answer = await until(stage.api, `${jobs}/${name}`, (seen) => over(pick(seen, 'status')));
        const { succeeded, failed, conditions } = pick(answer, 'status') as Fields & { conditions: Fields[] };
        return [succeeded, failed, conditions.map(({ type, reason, message }) => [type, reason, message])];
      };
      return await Promise.all([ending('well', 0), ending('badly', 1)]);
    }),
  ],
};
