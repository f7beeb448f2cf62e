import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { AppError, messageOf } from '../../base/index.ts';
import type { LogQuery, PodConnections } from '../apiserver/connect/index.ts';
import { badRequest, kubeletError, statusError } from '../apiserver/errors/index.ts';
import type { ApiObject } from '../apiserver/object/index.ts';
import type { ContainerRun } from './container/index.ts';
import { lineTime, readLog, type LogOptions } from './logs/index.ts';
import type { ContainerRecord } from './pod/index.ts';
import { attached, nothing, talkOf } from './talks.ts';
import type { Kubelet, PodWorker } from './worker/index.ts';

const CONNECT_WITHIN_MS = 10_000;

/** The pods of this node as clients talk to them. */
export function podConnections(kubelet: Kubelet): PodConnections {
  const workerOf = (pod: ApiObject): PodWorker | undefined => kubelet.worker(pod.metadata.uid ?? '');
  return {
    log: (pod, container, query, signal) => Promise.resolve(logOf(pod, workerOf(pod), { container, query, signal })),
    exec: async (pod, container, { command, hasInput, isTerminal }) => {
      const run = runOf(pod, workerOf(pod), container) ?? refuse(`container not found ("${container}")`);
      if (command.length === 0) return nothing('no command was given');
      try {
        return talkOf(await run.process.run({ command, hasInput, isTerminal }), isTerminal);
      } catch (error) {
        return refuse(`error executing command in container: ${messageOf(error)}`);
      }
    },
    attach: (pod, container, { hasInput }) => {
      const { name, namespace = '' } = pod.metadata;
      const run =
        runOf(pod, workerOf(pod), container) ?? refuse(`container ${container} not found in pod ${name}_${namespace}`);
      return Promise.resolve(attached(run, hasInput));
    },
    ports: (pod) => {
      const { name, namespace = '' } = pod.metadata;
      const worker = workerOf(pod);
      if (worker === undefined || worker.containers.isQuiet) refuse(`pod not found ("${name}_${namespace}")`);
      const host = worker.containers.podIP(worker.pod);
      return (port) => connected(host, port);
    },
  };
}

function refuse(text: string): never {
  throw kubeletError(500, text);
}

function runOf(pod: ApiObject, worker: PodWorker | undefined, container: string): ContainerRun | undefined {
  refuseSimulated(pod, worker?.containers.records.get(container));
  return worker?.containers.run(container);
}

function refuseSimulated(pod: ApiObject, record: ContainerRecord | undefined): void {
  if (record?.simulated === undefined) return;
  throw statusError('unsupported', {
    code: 501,
    reason: 'NotImplemented',
    message: `container "${record.name}" of pod "${pod.metadata.name}" is simulated: ${record.simulated}`,
    details: { name: pod.metadata.name, kind: 'pods' },
  });
}

interface LogRequest {
  container: string;
  query: LogQuery;
  signal: AbortSignal;
}

function logOf(pod: ApiObject, worker: PodWorker | undefined, request: LogRequest): AsyncIterable<Buffer> {
  const { container, query, signal } = request;
  const record = worker?.containers.records.get(container);
  if (worker === undefined || record === undefined) throw waits(pod, container, 'ContainerCreating');
  refuseSimulated(pod, record);
  const life = lifeOf(pod, worker, record, query.previous);
  const live = query.follow && !query.previous ? worker.containers.run(container)?.log : undefined;
  return readLog(worker.paths.log(container, life), optionsOf(query), { live, signal });
}

/** Which of a container's lives is meant. */
function lifeOf(pod: ApiObject, worker: PodWorker, record: ContainerRecord, isPrevious: boolean): number {
  const { name, state, last, restarts } = record;
  if (isPrevious && last === undefined) {
    throw badRequest(`previous terminated container "${name}" in pod "${pod.metadata.name}" not found`);
  }
  if (state.kind !== 'waiting') return isPrevious ? restarts - 1 : restarts;
  // One that waits for its next life has its last words in the life before.
  if (last !== undefined) return restarts;
  const isInitializing = (worker.pod.spec.initContainers ?? []).length > 0;
  throw waits(pod, name, state.reason ?? (isInitializing ? 'PodInitializing' : 'ContainerCreating'));
}

function waits(pod: ApiObject, container: string, reason: string): Error {
  return badRequest(`container "${container}" in pod "${pod.metadata.name}" is waiting to start: ${reason}`);
}

function optionsOf({ withTimes, tailLines, limitBytes, sinceSeconds, sinceTime, stream }: LogQuery): LogOptions {
  const since = sinceSeconds === undefined ? sinceTime : new Date(Date.now() - sinceSeconds * 1000).toISOString();
  const time = since === undefined ? undefined : lineTime(since);
  return {
    withTimes,
    ...(tailLines === undefined ? {} : { tailLines }),
    ...(limitBytes === undefined ? {} : { limitBytes }),
    ...(time === undefined ? {} : { since: time }),
    ...(stream === undefined ? {} : { stream }),
  };
}

function connected(host: string, port: number): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port, allowHalfOpen: true });
    const fail = (error: unknown): void => {
      socket.destroy();
      reject(new AppError('unreachable', `connecting to port ${port} of the pod failed: ${messageOf(error)}`));
    };
    socket.setTimeout(CONNECT_WITHIN_MS, () => {
      fail('no answer');
    });
    socket.once('error', fail);
    socket.once('connect', () => {
      socket.setTimeout(0);
      resolve(socket);
    });
  });
}
