import { PassThrough } from 'node:stream';
import { messageOf } from '../../base/index.ts';
import type { Talk, TalkEnd } from '../apiserver/connect/index.ts';
import { startFailure, type Conversation } from './process/index.ts';
import type { ContainerRun } from './container/index.ts';

const MAX_FIRST_WORDS = 1024;
/** Of what a container says, for a client that is attached to it. */
const MAX_UNREAD = 8 * 1024 * 1024;

/** A process that was started for the client. */
export function talkOf(process: Conversation, isTerminal: boolean): Talk {
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

/** A talk that was over before it began. */
export function nothing(failure: string): Talk {
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
export function attached(run: ContainerRun, hasInput: boolean): Talk {
  const { container, process } = run;
  const output = new PassThrough();
  const errors = container.tty === true ? undefined : new PassThrough();
  const { promise: slow, resolve: tooSlow } = Promise.withResolvers<TalkEnd>();
  const stop = run.output.listen((stream, chunk) => {
    const to = stream === 'stderr' ? errors : output;
    to?.write(chunk);
    if ((to?.writableLength ?? 0) <= MAX_UNREAD) return;
    // The container does not wait for those who look on, and neither does our memory.
    tooSlow({ code: 0, failure: 'the client reads more slowly than the container writes' });
    leave();
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
    ended: Promise.race([over, slow]),
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
