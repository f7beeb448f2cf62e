import type { KubeObject } from '../../edge/kube/index.ts';
import { aboutObject } from '../runtime/objects/index.ts';
import type { OperationDeps } from './operation.ts';
import type { Ending, OperationKind } from './operation-kind.ts';
import type { EndState } from './operation-run.ts';

type AnnounceDeps = Pick<OperationDeps, 'events' | 'metrics'>;

const ENDED: Readonly<Record<EndState, string>> = {
  completed: 'Completed',
  partiallyFailed: 'PartiallyFailed',
  failed: 'Failed',
  canceled: 'Canceled',
};

/** The event and the metric of an operation whose work begins. */
export function announceStart(kind: OperationKind, object: KubeObject, attempt: number, deps: AnnounceDeps): void {
  deps.metrics.add(kind.metrics.begun, kind.metrics.labelsOf(object));
  const again = attempt === 1 ? '' : ` again (attempt ${attempt})`;
  const about = aboutObject(kind.type, object);
  deps.events.record({
    type: 'Normal',
    reason: `${kind.type.kind}Started`,
    message: `the ${kind.noun} started${again}`,
    about,
  });
}

export function announceRefusal(
  kind: OperationKind,
  object: KubeObject,
  problems: readonly string[],
  deps: AnnounceDeps,
): void {
  deps.metrics.add(kind.metrics.refused, kind.metrics.labelsOf(object));
  const message = `the ${kind.noun} was refused: ${problems.join('; ')}`;
  deps.events.record({
    type: 'Warning',
    reason: `${kind.type.kind}Refused`,
    message,
    about: aboutObject(kind.type, object),
  });
}

export function announceEnd(
  kind: OperationKind,
  object: KubeObject,
  { ending, summary }: { ending: Ending; summary?: string },
  deps: AnnounceDeps,
): void {
  const { state, reason } = ending;
  const { ended } = kind.metrics;
  if (ended !== undefined) deps.metrics.add(ended[state], kind.metrics.labelsOf(object));
  deps.events.record({
    type: state === 'completed' ? 'Normal' : 'Warning',
    reason: `${kind.type.kind}${ENDED[state]}`,
    message: [reason, summary].filter((part) => part !== undefined).join('; '),
    about: aboutObject(kind.type, object),
  });
}
