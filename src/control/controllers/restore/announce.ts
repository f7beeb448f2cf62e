import { Restore } from '../../../api/index.ts';
import { assertNever } from '../../../base/index.ts';
import type { Counts } from '../../../core/progress/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import type { EndState } from '../../operation/index.ts';
import { aboutObject } from '../../runtime/objects/index.ts';
import type { ControlDeps } from '../ports.ts';
import type { Session } from './session.ts';

type Announcing = Pick<ControlDeps, 'events' | 'metrics'>;

export function announceStart({ events, metrics }: Announcing, object: KubeObject, spec: Restore['spec']): void {
  metrics.add('velero_restore_attempt_total', labelsOf(spec));
  const message = `restore of backup ${spec.backupName ?? ''} begins`;
  events.record({ type: 'Normal', reason: 'RestoreStarted', message, about: aboutObject(Restore, object) });
}

export function announceRefusal(
  { events, metrics }: Announcing,
  object: KubeObject,
  spec: Restore['spec'],
  errors: readonly string[],
): void {
  metrics.add('velero_restore_validation_failed_total', labelsOf(spec));
  const message = `restore is refused: ${errors.join('; ')}`;
  events.record({ type: 'Warning', reason: 'RestoreRefused', message, about: aboutObject(Restore, object) });
}

export interface AnnouncedEnd {
  state: EndState;
  reason?: string;
  counts: Counts | undefined;
}

export function announceEnd({ events, metrics }: Announcing, session: Session, ending: AnnouncedEnd): void {
  const { object, restore, messages } = session;
  const { errors, warnings } = messages.counts();
  const { created = 0, updated = 0, skipped = 0, failed = 0 } = ending.counts ?? {};
  const counts = `${created} created, ${updated} updated, ${skipped} skipped, ${failed} failed`;
  const { metric, reason, type } = endOf(ending.state);
  metrics.add(metric, labelsOf(restore.spec));
  const why = ending.reason === undefined ? '' : `: ${ending.reason}`;
  const message = `${counts}, ${errors} errors, ${warnings} warnings${why}`;
  events.record({ type, reason, message, about: aboutObject(Restore, object) });
}

interface End {
  metric: string;
  reason: string;
  type: 'Normal' | 'Warning';
}

function endOf(state: EndState): End {
  switch (state) {
    case 'completed':
      return { metric: 'velero_restore_success_total', reason: 'RestoreCompleted', type: 'Normal' };
    case 'partiallyFailed':
      return { metric: 'velero_restore_partial_failure_total', reason: 'RestorePartiallyFailed', type: 'Warning' };
    case 'failed':
      return { metric: 'velero_restore_failed_total', reason: 'RestoreFailed', type: 'Warning' };
    case 'canceled':
      return { metric: 'velero_restore_failed_total', reason: 'RestoreCanceled', type: 'Warning' };
    default:
      return assertNever(state, 'end of a restore');
  }
}

function labelsOf({ scheduleName = '' }: Restore['spec']): Record<string, string> {
  return { schedule: scheduleName };
}
