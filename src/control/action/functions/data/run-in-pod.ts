import { AppError, isAppError, type JsonObject } from '../../../../base/index.ts';
import { jobPodSpec, POD_COMMAND, PROGRAM_VARIABLE, type JobPod } from '../../../../core/action/index.ts';
import { stopOf } from '../../../operation/index.ts';
import type { FunctionContext } from '../function.ts';
import type { FunctionPod } from '../function-pods.ts';
import type { DataLines } from './data-lines.ts';
import type { DataWork } from './data-work.ts';
import { JobSecret, PROGRAM_KEY } from './job-secret.ts';

/** A pod that runs the program of a data function. */
export interface DataPod {
  prefix: string;
  namespace: string;
  image: string;
  volumes?: JobPod['volumes'];
  /** Where a phase has several: which of them. */
  part?: string;
}

export interface DataPodRun {
  pod: DataPod;
  work: DataWork;
  lines: DataLines;
  onStarted?: () => void;
  /** The program has ended; the pod is there until the promise is kept. The place to call `executed`. */
  onEnded: (exitCode: number) => Promise<void>;
}

/** Runs it to its end, and removes it and its Secret. After a restart the pod is found again. */
export async function runInPod(context: FunctionContext, run: DataPodRun, signal: AbortSignal): Promise<void> {
  const { pod, work, lines, onStarted, onEnded } = run;
  const secret = new JobSecret(context, pod);
  try {
    await secret.create(work.text, signal);
    await context.pods.run(
      functionPod(pod, secret.name),
      {
        ...(onStarted !== undefined && { onStarted }),
        onLine: ({ line }) => {
          lines.push(line);
        },
        onEnded: async ({ exitCode }) => {
          await onEnded(exitCode);
        },
      },
      signal,
    );
  } finally {
    // As with the pod: who only ends this process leaves it to the next one.
    const isLeft = signal.aborted && stopOf(signal) === undefined && !isAppError(signal.reason, 'timeout', 'invalid');
    if (!isLeft) await secret.remove();
  }
}

/** Removes what an earlier process left of it. */
export async function removePod(context: FunctionContext, pod: DataPod, signal: AbortSignal): Promise<void> {
  const secret = new JobSecret(context, pod);
  await context.pods.remove(functionPod(pod, secret.name), signal);
  await secret.remove();
}

function functionPod({ prefix, namespace, image, volumes, part }: DataPod, secret: string): FunctionPod {
  const spec = jobPodSpec({ image, command: POD_COMMAND, ...(volumes !== undefined && { volumes }) });
  const valueFrom = { secretKeyRef: { name: secret, key: PROGRAM_KEY } };
  const containers = (spec['containers'] as JsonObject[]).map((container) => ({
    ...container,
    env: [{ name: PROGRAM_VARIABLE, valueFrom }],
  }));
  return { prefix, namespace, spec: { ...spec, containers }, ...(part !== undefined && { part }) };
}

/** Claims as a pod mounts them. */
export function mounted(claims: Readonly<Record<string, string>>): NonNullable<JobPod['volumes']> {
  for (const [claim, path] of Object.entries(claims)) {
    if (!path.startsWith('/')) {
      throw new AppError('invalid', `volumes: expected an absolute path for ${claim}, got "${path}"`);
    }
  }
  return Object.fromEntries(Object.entries(claims).map(([claim, path]) => [claim, { path }]));
}
