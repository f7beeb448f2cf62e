import type { Case, CaseGroup, Stage } from '../../case.ts';
import { gone } from '../../eventual.ts';
import { ask, pick, pods } from '../objects.ts';
import {
  containersOf,
  type Fields,
  FOREVER,
  isOver,
  isReady,
  path,
  type PodObject,
  podOf,
  seen,
  sh,
  start,
  waiting,
} from './objects.ts';
import { row, view } from './view.ts';

interface WatchEvent {
  type: string;
  object: PodObject;
}

/** Everything that is seen of a pod from now until it is gone: how its phases followed, and its containers at the end. */
async function untilGone(stage: Stage, pod: PodObject, end: () => Promise<unknown>): Promise<Fields> {
  const query = { fieldSelector: `metadata.name=${pod.metadata.name}`, resourceVersion: '0' };
  const phases: string[] = [];
  let ending: Promise<unknown> | undefined;
  for await (const event of stage.api.watch(pods(stage.namespace), query)) {
    const { type, object } = event as WatchEvent;
    ending ??= end();
    if (phases.at(-1) !== object.status.phase) phases.push(object.status.phase);
    if (type !== 'DELETED') continue;
    await ending;
    const { metadata } = object as { metadata: Fields };
    return { phases, last: view(object), grace: metadata['deletionGracePeriodSeconds'] };
  }
  throw new Error(`watch ${pod.metadata.name} until it is gone: the watch ended`);
}

/** A container that has this done when it is asked to end, and says so in its log when it is ready for that. */
const onTerm = (action: string): Fields =>
  sh(`trap "${action}" TERM; touch /tmp/set; ${FOREVER}`, {
    readinessProbe: { exec: { command: ['test', '-f', '/tmp/set'] }, periodSeconds: 1 },
  });

const deleted = (name: string, pod: Fields, query: Record<string, string> = {}): Case =>
  ask(name, async (stage) => {
    const made = await start(stage, pod, isReady);
    return await untilGone(stage, made, () => stage.api.delete(path(stage), { query }));
  });

/** How pods are ended. */
export const podEnding: CaseGroup = {
  group: 'pods-ending',
  cases: [
    deleted('it ends when it is asked to', podOf(onTerm('exit 0'))),
    deleted('it ends with a code when it is asked to', podOf(onTerm('exit 7'))),
    deleted('it does not listen', podOf(onTerm(':'))),
    deleted('it is given less time than it wanted', podOf(onTerm(':'), { terminationGracePeriodSeconds: 60 }), {
      gracePeriodSeconds: '1',
    }),
    ask('the answer, and what is seen meanwhile', async (stage) => {
      await start(stage, podOf(onTerm(':'), { terminationGracePeriodSeconds: 3 }), isReady);
      const { status, body } = await stage.api.delete(path(stage));
      const { metadata } = body as { metadata: Fields };
      const again = await stage.api.delete(path(stage));
      const pod = await seen(stage, () => true);
      const answer = [status, pick({ body }, 'kind'), typeof metadata['deletionTimestamp']];
      return [answer, metadata['deletionGracePeriodSeconds'], again.status, pod.status.phase, await row(stage)];
    }),
    ask('it is forgotten at once', async (stage) => {
      await start(stage, podOf(waiting()), isReady);
      const { status, body } = await stage.api.delete(path(stage), { query: { gracePeriodSeconds: '0' } });
      return [status, pick({ body }, 'kind'), (await stage.api.get(path(stage))).status];
    }),
    ask('it was over already', async (stage) => {
      await start(stage, podOf(sh('exit 0')), isOver);
      const { status } = await stage.api.delete(path(stage));
      return [status, await gone(stage.api, path(stage))];
    }),
    ask('it had not begun', async (stage) => {
      const unscheduled = podOf(waiting(), { nodeSelector: { disk: 'none' } });
      await start(stage, unscheduled, ({ status }) => status.conditions?.length === 1);
      const { status } = await stage.api.delete(path(stage));
      return [status, (await stage.api.get(path(stage))).status];
    }),
    ask('somebody waits for its end', async (stage) => {
      const finalizers = ['example.com/wait'];
      await start(stage, podOf(onTerm('exit 0'), {}, { finalizers }), isReady);
      await stage.api.delete(path(stage));
      const over = await seen(stage, (pod) => containersOf(pod).every(({ state }) => 'terminated' in state));
      const shown = await row(stage);
      await stage.api.patch(path(stage), 'merge', { metadata: { finalizers: null } });
      return [view(over), shown, await gone(stage.api, path(stage))];
    }),
    ask('it is evicted', async (stage) => {
      await start(stage, podOf(onTerm('exit 0')), isReady);
      const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } };
      const { status, body } = await stage.api.post(path(stage, 'p', 'eviction'), eviction);
      return [status, body, await gone(stage.api, path(stage))];
    }),
    ask('a pod of that name can be had again', async (stage) => {
      const first = await start(stage, podOf(onTerm('exit 0')), isReady);
      await stage.api.delete(path(stage));
      await gone(stage.api, path(stage));
      const next = await start(stage, podOf(waiting()), isReady);
      return [first.metadata.uid === next.metadata.uid, containersOf(next)[0]?.restartCount];
    }),
  ],
};
