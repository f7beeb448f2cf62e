export type OperationState = 'pending' | 'running' | 'completed' | 'partiallyFailed' | 'failed' | 'canceled';

export type TerminalState = Exclude<OperationState, 'pending' | 'running'>;

export function isTerminal(state: OperationState): state is TerminalState {
  return state !== 'pending' && state !== 'running';
}
