import { eventually } from '../../../eventually.ts';
import type { Answer, Api } from '../../api.ts';
import type { Stage } from '../../case.ts';
import { pods } from '../objects.ts';

export type Fields = Record<string, unknown>;

/** A container of the smallest image that runs this; what it uses is in busybox and in Debian alike. */
export const sh = (script: string, fields: Fields = {}): Fields => ({
  name: 'c',
  image: 'busybox:1',
  command: ['sh', '-c', script],
  ...fields,
});

/** For ever, without using the processor, and so that a trap comes through. */
export const FOREVER = 'while :; do sleep 1000 & wait; done';

/** A container that goes on until it is asked to end, and then ends at once. */
export const waiting = (fields: Fields = {}): Fields => sh(`trap "exit 0" TERM; ${FOREVER}`, fields);

/** A container with Node, for what needs a server. */
export const node = (script: string, fields: Fields = {}): Fields => ({
  name: 'c',
  image: 'headway:dev',
  command: ['node', '-e', script],
  ...fields,
});

/** A pod of these containers that is not restarted and ends quickly. */
export const podOf = (containers: Fields | Fields[], spec: Fields = {}, metadata: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 1,
    automountServiceAccountToken: false,
    containers: [containers].flat(),
    ...spec,
  },
});

export interface ContainerStatus {
  name: string;
  restartCount: number;
  ready: boolean;
  started?: boolean;
  state: Record<string, Fields & { reason?: string; exitCode?: number }>;
  lastState: Record<string, Fields>;
}

export interface PodObject {
  metadata: { name: string; uid: string; deletionTimestamp?: string };
  spec: { nodeName?: string };
  status: {
    phase: string;
    reason?: string;
    message?: string;
    podIP?: string;
    hostIP?: string;
    conditions?: (Fields & { type: string; status: string })[];
    containerStatuses?: ContainerStatus[];
    initContainerStatuses?: ContainerStatus[];
  };
}

export const path = ({ namespace }: Stage, name = 'p', subresource = '') =>
  `${pods(namespace)}/${name}${subresource && `/${subresource}`}`;

/** Creates an object of the core group; a pod cannot be had before its namespace has a service account. */
export async function make(stage: Stage, plural: string, object: Fields): Promise<Answer> {
  return await eventually(
    async () => {
      const answer = await stage.api.post(`/api/v1/namespaces/${stage.namespace}/${plural}`, object);
      if (answer.status === 403) throw new Error(`create ${plural}: ${JSON.stringify(answer.body)}`);
      return answer;
    },
    { withinMs: 30_000 },
  );
}

/** Creates a pod and waits until it fits. */
export async function start(stage: Stage, pod: Fields, fits: (pod: PodObject) => boolean): Promise<PodObject> {
  const { status, body } = await make(stage, 'pods', pod);
  if (status !== 201) throw new Error(`create a pod: ${status} ${JSON.stringify(body)}`);
  return await seen(stage, fits, (body as PodObject).metadata.name);
}

/** The pod, once it fits. Watched instead of asked for: many cases wait at a time. */
export async function seen(stage: Stage, fits: (pod: PodObject) => boolean, name = 'p'): Promise<PodObject> {
  const query = { fieldSelector: `metadata.name=${name}`, resourceVersion: '0', timeoutSeconds: '45' };
  let last: PodObject | undefined;
  for await (const event of stage.api.watch(pods(stage.namespace), query)) {
    last = (event as { object: PodObject }).object;
    if (fits(last)) return last;
  }
  throw new Error(`wait for pod ${stage.namespace}/${name}: at last it was ${JSON.stringify(last?.status)}`);
}

const shared = new WeakMap<Api, Map<string, Promise<Stage>>>();

/** Where a pod is that many cases look at and none changes: it is made once for all of them, since a pod takes a second. */
export async function together(
  { api }: Stage,
  name: string,
  pod: Fields,
  fits: (pod: PodObject) => boolean,
): Promise<Stage> {
  const stages = shared.get(api) ?? new Map<string, Promise<Stage>>();
  shared.set(api, stages);
  const made = stages.get(name) ?? makeStage({ api, namespace: `c-shared-${name}` }, pod, fits);
  stages.set(name, made);
  return await made;
}

async function makeStage(stage: Stage, pod: Fields, fits: (pod: PodObject) => boolean): Promise<Stage> {
  await stage.api.post('/api/v1/namespaces', { metadata: { name: stage.namespace } });
  await start(stage, pod, fits);
  return stage;
}

export const isRunning = (pod: PodObject) => containersOf(pod).some(({ state }) => 'running' in state);
export const isOver = ({ status }: PodObject) => status.phase === 'Succeeded' || status.phase === 'Failed';
export const isReady = ({ status }: PodObject) =>
  status.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
/** Some container waits for this reason. */
export const waitsFor = (reason: string) => (pod: PodObject) =>
  containersOf(pod).some(({ state }) => state['waiting']?.reason === reason);
/** It cannot be scheduled. */
export const isUnschedulable = ({ status }: PodObject) =>
  status.conditions?.some(({ type, status }) => type === 'PodScheduled' && status === 'False') ?? false;

export function containersOf({ status }: PodObject): ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

/** The log of a container. */
export async function log(stage: Stage, query: Record<string, string> = {}, name = 'p'): Promise<unknown> {
  return (await stage.api.get(path(stage, name, 'log'), { query })).body;
}

/** Runs a pod to its end; its log is the observation. */
export async function saying(stage: Stage, pod: Fields): Promise<unknown> {
  const { status } = await start(stage, pod, isOver);
  return { phase: status.phase, log: await log(stage) };
}
