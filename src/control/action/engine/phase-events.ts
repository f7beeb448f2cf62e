import { ActionSet, Blueprint } from '../../../api/index.ts';
import type { PhaseRef } from '../../../core/action/index.ts';
import type { Operation } from '../../operation/index.ts';
import { aboutObject } from '../../runtime/objects/index.ts';
import type { ActionDeps } from './deps.ts';
import { phaseOf } from './plan.ts';
import type { RunningAction } from './running-action.ts';

/** Events and log lines of phases, with upstream's reasons: people and tools look for them. */
export class PhaseEvents {
  readonly #operation: Operation;
  readonly #deps: Pick<ActionDeps, 'events'>;

  constructor(operation: Operation, deps: Pick<ActionDeps, 'events'>) {
    this.#operation = operation;
    this.#deps = deps;
  }

  startedAction({ spec }: Pick<RunningAction, 'spec'>): void {
    this.#record('Normal', 'Started Action', `Executing action ${spec.name ?? ''}`);
  }

  began(action: RunningAction, ref: PhaseRef, { isResumed }: { isResumed: boolean }): void {
    const name = this.#log(action, ref, isResumed ? 'phase goes on' : 'phase begins');
    if (isResumed) return;
    this.#record('Normal', `Started ${word(ref)}`, `Executing ${word(ref, 'lower')} ${name}`);
  }

  completed(action: RunningAction, ref: PhaseRef): void {
    const name = this.#log(action, ref, 'phase is complete');
    this.#record('Normal', `Ended ${word(ref)}`, `Completed ${word(ref, 'lower')} ${name}`);
  }

  again(action: RunningAction, ref: PhaseRef, reason: string): void {
    const name = this.#log(action, ref, 'phase is tried again');
    this.#record('Warning', 'Retrying Phase', `Phase ${name} failed and is tried again: ${reason}`);
  }

  failed(action: RunningAction, ref: PhaseRef, reason: string): void {
    const { name = '' } = phaseOf(action.action, ref);
    const message = `Failed to execute phase ${name}: ${reason}`;
    this.#record('Warning', `ActionSetFailed Action: ${action.spec.name ?? ''}`, message);
    const { namespace = '' } = this.#operation.object.metadata;
    const about = aboutObject(Blueprint, {
      ...{ apiVersion: '', kind: 'Blueprint' },
      metadata: { name: action.spec.blueprint ?? '', namespace },
    });
    this.#deps.events.record({
      type: 'Warning',
      reason: `ActionSetFailed Action: ${action.spec.name ?? ''}`,
      message,
      about,
    });
  }

  ended(name: string): void {
    this.#record('Normal', 'Update Complete', `Updated ActionSet '${name}' Status->complete`);
  }

  #log(action: RunningAction, ref: PhaseRef, message: string): string {
    const { name = '', func } = phaseOf(action.action, ref);
    this.#operation.log.info(message, { action: action.spec.name, phase: name, function: func });
    return name;
  }

  #record(type: 'Normal' | 'Warning', reason: string, message: string): void {
    const about = aboutObject(ActionSet, this.#operation.object);
    this.#deps.events.record({ type, reason, message, about });
  }
}

function word({ phase }: PhaseRef, letters: 'upper' | 'lower' = 'upper'): string {
  if (phase === 'defer') return 'deferPhase';
  return letters === 'upper' ? 'Phase' : 'phase';
}
