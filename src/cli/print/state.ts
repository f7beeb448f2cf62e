import { isTerminal } from '../../core/progress/index.ts';
import type { Operation } from '../../core/operations/index.ts';

const WORDS = {
  pending: '○ pending',
  running: '● running',
  completed: '✓ completed',
  partiallyFailed: '▲ partially failed',
  failed: '✕ failed',
  canceled: '✕ canceled',
} as const satisfies Record<Operation['report']['state'], string>;

/** A sign and a word, so that colour is never the only difference. */
export function stateOf(operation: Operation): { sign: string; word: string } {
  const [sign, ...words] = stateText(operation).split(' ');
  return { sign: sign ?? '', word: words.join(' ') };
}

function stateText({ report, phase, facts }: Operation): string {
  if (phase === 'Deleting' || facts.isDeleting === true) return '● deleting';
  if (report.stalled !== undefined) return '▲ stalled';
  const isOver = isTerminal(report.state);
  if (!isOver && facts.isCancelAsked === true) return '● canceling';
  if (facts.isNothingSelected === true && report.state === 'completed') return '▲ nothing selected';
  return WORDS[report.state];
}
