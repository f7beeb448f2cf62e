/**
 * Writes an operation's reports into its object's status: laws 4 and 5 of the progress model.
 * It must never make the work wait or fail, nor write without a resourceVersion it has seen.
 */
export { StatusPublisher, type FinishResult, type PublisherDeps, type PublisherOptions } from './publisher.ts';
export type { Commitment } from './commits.ts';
export { removeCondition, setCondition, type ConditionChange } from './conditions.ts';
