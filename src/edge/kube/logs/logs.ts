import { POD } from '../../../api/meta/builtin-types.ts';
import { AppError, isAppError } from '../../../base/index.ts';
import { fateOf, readInstance, type ContainerInstance } from './container-instance.ts';
import { LogReader, type LogReaderDeps } from './log-reader.ts';
import type { Kube, LogLine, LogOptions, PodTarget } from '../port.ts';

export interface LogDeps extends LogReaderDeps {
  kube: Pick<Kube, 'get'>;
}

/**
 * A container that writes constantly always has one more line; after this many readings, everything that existed at the
 * start was read.
 */
const READINGS_WHILE_GROWING = 5;

/**
 * Lines are requested with their times. After a break, the log is requested again from a second before the newest line,
 * and lines already returned are dropped (LogLedger). A line counts only with its newline, so a line cut by a broken
 * connection comes complete later. The end of a connection says nothing about the container, so the pod is read; once
 * its container has ended, one last reading gets what was written after the connection broke.
 */
export async function* logs(deps: LogDeps, pod: PodTarget, options: LogOptions = {}): AsyncGenerator<LogLine> {
  const { follow = false, previous = false, tail, since } = options;
  if (since !== undefined && Number.isNaN(Date.parse(since))) {
    throw new AppError('invalid', `read the log of ${pod.name}: expected \`since\` in RFC 3339, got "${since}"`);
  }
  const reader = new LogReader(deps, pod, options);
  // An earlier run of the container has a complete log, so there is nothing to follow.
  if (!follow || previous) {
    const query = { previous, ...(tail === undefined ? {} : { tailLines: tail }) };
    yield* unfinished(reader, yield* reader.readAll(query, previous ? Infinity : READINGS_WHILE_GROWING));
    return;
  }
  const began = await instanceOf(deps, pod, reader, options);
  const what = `follow the log of pod ${pod.namespace}/${pod.name}`;
  if (began === undefined) throw new AppError('notFound', `${what}: it does not exist`);
  if (!began.hasStarted) throw new AppError('invalid', `${what}: expected a container that has started, it has not`);
  if (tail !== undefined) yield* tailFirst(reader, tail);
  yield* followInstance(deps, pod, { reader, began, options });
}

/**
 * Reads the tail without following it. Then it is known where following begins, even if that connection breaks before
 * its first line; requesting the last lines again would lose what was written in between.
 */
async function* tailFirst(reader: LogReader, tail: number): AsyncGenerator<LogLine> {
  let skip = tail === 0;
  for await (const line of reader.readAll({ tailLines: Math.max(1, tail) }, READINGS_WHILE_GROWING)) {
    if (!skip) yield line;
    skip = false;
  }
}

/** A last line that the container did not end with a newline. */
function* unfinished(reader: LogReader, rest: string | undefined): Generator<LogLine> {
  const line = rest === undefined ? undefined : reader.admit({ text: rest, cut: false });
  if (line !== undefined) yield line;
}

async function* followInstance(
  deps: LogDeps,
  pod: PodTarget,
  run: { reader: LogReader; began: ContainerInstance; options: LogOptions },
): AsyncGenerator<LogLine> {
  const { reader, began, options } = run;
  for (;;) {
    const end = yield* reader.readOnce({ follow: true });
    const fate = fateOf(began, await instanceOf(deps, pod, reader, options));
    switch (fate) {
      case 'running':
        await reader.pause(end.clean ? reader.endedEarly() : end.error);
        break;
      case 'ended':
      case 'restarted':
        yield* unfinished(reader, yield* reader.readAll({ previous: fate === 'restarted' }));
        return;
      case 'lost':
        // A pod is deleted after its containers ended, so a log that ended cleanly is most likely complete.
        if (!end.clean) throw lost(pod, end.error);
        yield* unfinished(reader, end.rest);
        return;
    }
  }
}

/** Undefined when the pod is gone. */
async function instanceOf(
  deps: LogDeps,
  pod: PodTarget,
  reader: LogReader,
  options: LogOptions,
): Promise<ContainerInstance | undefined> {
  const { signal } = options;
  for (;;) {
    try {
      const target = { type: POD, namespace: pod.namespace, name: pod.name };
      return readInstance(await deps.kube.get(target, signal === undefined ? {} : { signal }), pod.container);
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined;
      if (!isAppError(error) || error.retry === 'never') throw error;
      await reader.pause(error);
    }
  }
}

function lost(pod: PodTarget, cause: unknown): AppError {
  const what = 'the pod was deleted, or its container restarted more than once, while the connection was broken';
  return new AppError('gone', `follow the log of pod ${pod.namespace}/${pod.name}: ${what}; its last lines are lost`, {
    cause,
  });
}
