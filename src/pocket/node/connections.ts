import { connect } from 'node:net';
import { PassThrough, type Duplex } from 'node:stream';
import { AppError, messageOf } from '../../base/index.ts';
import type { LogQuery, PodConnections, Talk, TalkEnd } from '../apiserver/connect/index.ts';
import { badRequest, kubeletError, statusError } from '../apiserver/errors/index.ts';
import type { ApiObject } from '../apiserver/object/index.ts';
import { lineTime, readLog, type LogOptions } from './logs/index.ts';
import type { ContainerRecord } from './pod/index.ts';
import { startFailure, type Conversation } from './process/index.ts';
import type { ContainerRun, Kubelet, PodWorker } from './worker/index.ts';

const CONNECT_WITHIN_MS = 10_000;
const MAX_FIRST_WORDS = 1024;

/** The pods of this node as clients talk to them. */
export function podConnections(kubelet: Kubelet): PodConnections {
  const workerOf = (pod: ApiObject): PodWorker | undefined => kubelet.worker(pod.metadata.uid ?? '');
  return {
    log: (pod, container, query, signal) => Promise.resolve(logOf(pod, workerOf(pod), { container, query, signal })),
    exec: async (pod, container, { command, hasInput, isTerminal }) => {
      const run = runOf(pod, workerOf(pod), container) ?? refuse(`container not found ("${container}")`);
      if (command.length === 0) return nothing('no command was given');
      return talkOf(await run.process.run({ command, hasInput, isTerminal }), isTerminal);
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
  const { state, last, restarts } = record;
  if (query.previous && last === undefined) {
    throw badRequest(`previous terminated container "${container}" in pod "${pod.metadata.name}" not found`);
  }
  if (state.kind === 'waiting' && last === undefined) {
    const isInitializing = (worker.pod.spec.initContainers ?? []).length > 0;
    throw waits(pod, container, state.reason ?? (isInitializing ? 'PodInitializing' : 'ContainerCreating'));
  }
  // One that waits for its next life has its last words in the life before.
  const life = query.previous && state.kind !== 'waiting' ? restarts - 1 : restarts;
  const run = worker.containers.run(container);
  const live = query.follow && !query.previous ? run?.log : undefined;
  return readLog(worker.paths.log(container, life), optionsOf(query), { live, signal });
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

/** A process that was started for the client. */
function talkOf(process: Conversation, isTerminal: boolean): Talk {
  const said = { output: 0, errors: '' };
  const errors = process.errors?.pipe(new PassThrough());
  process.errors?.on('data', (chunk: Buffer) => {
    if (said.errors.length < MAX_FIRST_WORDS) said.errors += chunk.toString();
  });
  const output = process.output.pipe(new PassThrough());
  process.output.on('data', (chunk: Buffer) => (said.output += chunk.length));
  return {
    input: process.input,
    output,
    errors,
    ended: process.ended.then(
      async ({ code }): Promise<TalkEnd> => {
        if (code !== 0) await ending(process.errors);
        const failure = startFailure(code, said);
        return failure === undefined ? { code } : { code, failure };
      },
      (error: unknown) => ({ code: 0, failure: messageOf(error) }),
    ),
    resize: process.resize,
    leave: () => {
      // Who hangs up a terminal ends what runs on it; all else goes on to its end, as on any node.
      if (isTerminal) process.kill();
      process.input?.end();
      output.resume();
      errors?.resume();
    },
  };
}

const ENDING_MS = 200;

function ending(stream: Conversation['errors']): Promise<void> {
  if (stream === undefined || stream.readableEnded || stream.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ENDING_MS);
    stream.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

function nothing(failure: string): Talk {
  const output = new PassThrough();
  output.end();
  return {
    input: undefined,
    output,
    errors: undefined,
    ended: Promise.resolve({ code: 0, failure }),
    resize: () => undefined,
    leave: () => undefined,
  };
}

/** The container itself: what it says from now on, and its input if it has one. */
function attached(run: ContainerRun, hasInput: boolean): Talk {
  const { container, process } = run;
  const output = new PassThrough();
  const errors = container.tty === true ? undefined : new PassThrough();
  const stop = run.output.listen((stream, chunk) => {
    (stream === 'stderr' ? errors : output)?.write(chunk);
  });
  const leave = (): void => {
    stop();
    output.end();
    errors?.end();
    if (hasInput && container.stdinOnce === true) process.input?.end();
  };
  const over = run.ended.then((): TalkEnd => {
    leave();
    return { code: 0 };
  });
  return {
    // Its end is the end of the container's input only where that is meant for one client.
    input: hasInput ? shared(process.input, container.stdinOnce === true) : undefined,
    output,
    errors,
    ended: over,
    resize: process.resize,
    leave,
  };
}

function shared(input: Conversation['input'], isOnce: boolean): Conversation['input'] {
  if (input === undefined || isOnce) return input;
  const own = new PassThrough();
  own.pipe(input, { end: false });
  return own;
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
