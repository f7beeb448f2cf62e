import { AppError, isAppError, messageOf } from '../../../base/index.ts';
import { OutputReader, OutputTail } from '../../../core/action/index.ts';
import type { PodTarget } from '../../../edge/kube/index.ts';
import type { FunctionContext } from './function.ts';
import { GivingWay } from './giving-way.ts';
import { Lines } from './lines.ts';

/** Without a limit a command has as long as a timer can count. */
const NO_LIMIT_MS = 20 * 24 * 3600_000;

/** Runs a command in a container that runs already, and reads its outputs. */
export async function runExec(
  context: FunctionContext,
  { pod, command, onStarted }: { pod: PodTarget; command: readonly string[]; onStarted: () => void },
  signal: AbortSignal,
): Promise<Record<string, string>> {
  const reader = new OutputReader();
  const [out, err] = [new OutputTail(), new OutputTail()];
  const tell = (line: string): void => {
    context.output(line, { namespace: pod.namespace, exec: pod.name });
  };
  const lines = { out: new Lines(tell), err: new Lines(tell) };
  const others = new GivingWay();
  const wait = context.wait(new AppError('timeout', `a command runs in pod ${pod.namespace}/${pod.name}`), 'slow');
  try {
    onStarted();
    const { exitCode } = await context.kube.exec(pod, {
      command,
      ...{ signal, deadlineMs: context.timeoutMs ?? NO_LIMIT_MS },
      stdout: async (bytes) => {
        reader.push(bytes);
        out.push(bytes);
        lines.out.push(bytes);
        await others.after(bytes.length);
      },
      stderr: async (bytes) => {
        err.push(bytes);
        lines.err.push(bytes);
        await others.after(bytes.length);
      },
    });
    if (exitCode !== 0) throw failed(`command terminated with exit code ${String(exitCode)}`, out, err);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AppError && error.details?.['exec'] === true) throw error;
    throw failed(reasonOf(error), out, err);
  } finally {
    wait.end();
    lines.out.end();
    lines.err.end();
  }
  return reader.finish();
}

/** DESIGN §9.10: it may have done everything, so it is not run again by itself. */
function reasonOf(error: unknown): string {
  const isOpen = isAppError(error, 'unreachable', 'timeout') && error.details?.['maybeDone'] === true;
  return isOpen
    ? `${messageOf(error)}; how far the command got is not known, and it is not run again (a phase with retries is)`
    : messageOf(error);
}

/** In upstream's words, which people search for. */
function failed(why: string, out: OutputTail, err: OutputTail): AppError {
  const [stdout, stderr] = [out.lines().join('\n'), err.lines().join('\n')];
  const message = `Failed to exec command in pod: ${why}.\nstdout: ${stdout}\nstderr: ${stderr}`;
  return new AppError('invalid', message, { details: { exec: true } });
}
