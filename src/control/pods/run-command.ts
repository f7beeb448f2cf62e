import type { KubeClient, PodTarget } from '../../edge/kube/index.ts';

export interface CommandResult {
  exitCode: number;
  /** The beginning of its output, from both streams. */
  output: string;
}

/** More would not fit into one line of a result. */
const MAX_OUTPUT = 2_000;

/** Runs a command in a container to its end. Throws if it could not be run, or not to its end. */
export async function runCommand(
  kube: Pick<KubeClient, 'exec'>,
  pod: PodTarget,
  options: { command: readonly string[]; deadlineMs: number; signal: AbortSignal },
): Promise<CommandResult> {
  let output = '';
  const keep = (bytes: Uint8Array): void => {
    const room = MAX_OUTPUT - output.length;
    if (room > 0) output += Buffer.from(bytes).toString('utf8').slice(0, room);
  };
  const { exitCode } = await kube.exec(pod, { ...options, stdout: keep, stderr: keep });
  return { exitCode, output: output.trim() };
}
