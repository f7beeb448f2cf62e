import { StringDecoder } from 'node:string_decoder';
import { AppError, messageOf } from '../../../../base/index.ts';
import { CONTAINER_COMMAND, endingCommand, programInput } from '../../../../core/action/index.ts';
import { LineCutter } from '../../../../core/volumes/index.ts';
import type { PodTarget } from '../../../../edge/kube/index.ts';
import type { FunctionContext } from '../function.ts';
import type { DataLines } from './data-lines.ts';
import type { DataWork } from './data-work.ts';

/** Without a limit a program has as long as a timer can count. */
const NO_LIMIT_MS = 20 * 24 * 3600_000;
const ENDING_MS = 20_000;

/**
 * Runs a program in a container that runs already, and returns its exit code. The program comes through its standard
 * input, since it holds keys. What is left of it when nobody waits any more is ended.
 */
export async function runInContainer(
  context: FunctionContext,
  { pod, work, lines }: { pod: PodTarget; work: DataWork; lines: DataLines },
  signal: AbortSignal,
): Promise<number> {
  const streams = [new Stream(lines), new Stream(lines)] as const;
  const wait = context.wait(new AppError('timeout', `data of pod ${pod.namespace}/${pod.name} is copied`), 'slow');
  try {
    const { exitCode } = await context.kube.exec(pod, {
      command: CONTAINER_COMMAND,
      stdin: onePiece(programInput(work.text)),
      ...{ signal, deadlineMs: context.timeoutMs ?? NO_LIMIT_MS },
      stdout: (bytes) => {
        streams[0].push(bytes);
      },
      stderr: (bytes) => {
        streams[1].push(bytes);
      },
    });
    return exitCode;
  } catch (error) {
    await end(context, pod, work);
    throw error;
  } finally {
    wait.end();
    for (const stream of streams) stream.end();
  }
}

/** A connection that ends does not end the program behind it. */
async function end({ kube, log, lasting }: FunctionContext, pod: PodTarget, { job }: DataWork): Promise<void> {
  try {
    await kube.exec(pod, { command: endingCommand(job), signal: lasting, deadlineMs: ENDING_MS });
  } catch (error) {
    // The pod may be gone, and the program with it.
    log.warn('what was started in a container may still run', { pod: pod.name, err: messageOf(error) });
  }
}

async function* onePiece(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(Buffer.from(text));
}

/** One of the two streams of a command. */
class Stream {
  readonly #decoder = new StringDecoder('utf8');
  readonly #cutter = new LineCutter();
  readonly #lines: DataLines;

  constructor(lines: DataLines) {
    this.#lines = lines;
  }

  push(bytes: Uint8Array): void {
    for (const line of this.#cutter.push(this.#decoder.write(bytes))) this.#lines.push(line);
  }

  end(): void {
    const last = this.#cutter.end();
    if (last !== undefined) this.#lines.push(last);
  }
}
