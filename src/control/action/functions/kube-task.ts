import { jobPodSpec } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { PodFunction } from './pod-function.ts';

/** Runs a command in a pod of its own. */
export function kubeTask(context: FunctionContext): ActionFunction {
  return new PodFunction(context, podOf);
}

function podOf({ args, namespace }: FunctionContext): FunctionPod {
  return {
    prefix: 'kanister-job',
    namespace: args.textOr('namespace', namespace),
    spec: jobPodSpec({ image: args.text('image'), command: args.texts('command') }),
  };
}
