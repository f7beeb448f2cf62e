import { AppError } from '../../../base/index.ts';
import { jobPodSpec, type ActionFacts } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { PodFunction } from './pod-function.ts';

/** Runs a command in a pod that mounts volumes of the application. As upstream has it, it may fail unless told otherwise. */
export function prepareData(context: FunctionContext): ActionFunction {
  return new PodFunction(context, podOf, () => !context.args.flagOr('failOnError', false));
}

function podOf({ args, facts }: FunctionContext): FunctionPod {
  const paths = args.textMap('volumes') ?? claimPaths(facts, '/mnt/prepare_data');
  const volumes = Object.fromEntries(Object.entries(paths).map(([claim, path]) => [claim, { path }]));
  return {
    prefix: 'prepare-data-job',
    namespace: args.text('namespace'),
    spec: jobPodSpec({
      ...{ image: args.text('image'), command: args.texts('command'), volumes },
      serviceAccount: args.optionalText('serviceaccount'),
    }),
  };
}

/** All claims of the object, each in a folder of its own. Throws `invalid` where there is none. */
export function claimPaths({ workload, claim }: ActionFacts, folder: string): Record<string, string> {
  const mounted = Object.values(workload?.persistentVolumeClaims ?? {}).flatMap((claims) => Object.keys(claims));
  const names = claim === undefined ? mounted : [claim.name];
  if (names.length === 0) throw new AppError('invalid', 'Failed to get volumes: the object has no claims');
  return Object.fromEntries(names.map((name) => [name, `${folder}/${name}`]));
}
