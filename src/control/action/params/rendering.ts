import type { Clock } from '../../../base/index.ts';
import { Budget, templateParams, type ActionFacts, type Rendering, type Where } from '../../../core/action/index.ts';

/** Templates come from users: all of a phase together get a second. */
const LIMIT_MS = 1_000;

/** Rendering with these facts, within bounds. */
export function renderingOf(facts: ActionFacts, where: Where, clock: Clock, { isMasked = false } = {}): Rendering {
  return { params: templateParams(facts, { isMasked }), budget: newBudget(clock), where };
}

export function newBudget(clock: Clock): Budget {
  const startedAt = clock.uptime();
  return new Budget({ now: clock.now(), isOver: () => clock.uptime() - startedAt > LIMIT_MS });
}
