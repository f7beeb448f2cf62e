import { OUTPUT_CONTAINER, pairPodSpec, spreadOverride } from '../../../core/action/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import type { FunctionPod } from './function-pods.ts';
import { PodFunction } from './pod-function.ts';

/** Runs two commands side by side in one pod, with a directory that both see. */
export function multiContainerRun(context: FunctionContext): ActionFunction {
  return new PodFunction(context, podOf);
}

function podOf({ args, namespace }: FunctionContext): FunctionPod {
  const initImage = args.optionalText('initImage');
  return {
    prefix: 'kanister-job',
    namespace: args.textOr('namespace', namespace),
    container: OUTPUT_CONTAINER,
    annotations: { 'kubectl.kubernetes.io/default-container': OUTPUT_CONTAINER },
    adaptOverride: spreadOverride,
    spec: pairPodSpec({
      output: { image: args.text('outputImage'), command: args.texts('outputCommand') },
      background: { image: args.text('backgroundImage'), command: args.texts('backgroundCommand') },
      init:
        initImage === undefined ? undefined : { image: initImage, command: args.optionalTexts('initCommand') ?? [] },
      shared: {
        path: args.textOr('sharedVolumeDir', '/tmp/'),
        medium: args.optionalText('sharedVolumeMedium'),
        sizeLimit: args.optionalText('sharedVolumeSizeLimit'),
      },
    }),
  };
}
