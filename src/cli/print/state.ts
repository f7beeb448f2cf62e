import { isTerminal } from '../../core/progress/index.ts';
import { dataGap, type Operation } from '../../core/operations/index.ts';

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

/** The word with what a reader must not overlook: `completed, without volume data (18)`. */
export function stateWords(operation: Operation): string {
  return [stateOf(operation).word, dataGap(operation.facts)].filter((part) => part !== undefined).join(', ');
}

function stateText({ report, phase, facts }: Operation): string {
  if (phase === 'Deleting' || facts.isDeleting === true) return '● deleting';
  if (report.stalled !== undefined) return '▲ stalled';
  const isOver = isTerminal(report.state);
  if (!isOver && facts.isCancelAsked === true) return '● canceling';
  if (facts.isNothingSelected === true && report.state === 'completed') return '▲ nothing selected';
  const text = WORDS[report.state];
  // Green would say that everything is safe.
  return report.state === 'completed' && dataGap(facts) !== undefined ? text.replace('✓', '▲') : text;
}
