import { Blueprint } from '../../../../api/index.ts';
import { AppError, objectsAt, textAt } from '../../../../base/index.ts';
import type { DataMover } from '../../../../core/action/index.ts';
import { readObject } from '../../../runtime/objects/index.ts';
import type { FunctionContext } from '../function.ts';

/** On an ActionSet or a Blueprint: which program moves the data. */
const ANNOTATION = 'headway.io/data-mover';
const MOVERS: readonly string[] = ['kopia', 'restic'] satisfies DataMover[];

/** Undefined where the repository decides. The ActionSet's word counts before the Blueprint's. */
export async function wantedMover(context: FunctionContext, signal: AbortSignal): Promise<DataMover | undefined> {
  const { actionSet, ref, namespace, kube } = context;
  const ofSet = actionSet.metadata.annotations?.[ANNOTATION];
  if (ofSet !== undefined) return moverOf(ofSet, 'the ActionSet');
  const name = textAt(objectsAt(actionSet, 'spec', 'actions')[ref.action], 'blueprint');
  if (name === undefined) return undefined;
  // One that was deleted meanwhile has no word any more.
  const blueprint = await context
    .api(signal)
    .call(() => readObject({ type: Blueprint, namespace, name }, { kube }, signal));
  const ofBlueprint = blueprint?.metadata.annotations?.[ANNOTATION];
  return ofBlueprint === undefined ? undefined : moverOf(ofBlueprint, `Blueprint ${name}`);
}

function moverOf(text: string, where: string): DataMover {
  if (MOVERS.includes(text)) return text as DataMover;
  throw new AppError('invalid', `annotation ${ANNOTATION} of ${where}: expected kopia or restic, got "${text}"`);
}
