import { lineOf, type TemplateProblem } from '../template/index.ts';

/** Where in a Blueprint something stands. */
export interface Where {
  blueprint?: string | undefined;
  action?: string | undefined;
  /** The name of the phase, or of its number where it has none. */
  phase?: string | undefined;
  /** With its path: `command[2]`. */
  argument?: string | undefined;
  line?: number | undefined;
}

export function whereText({ blueprint, action, phase, argument, line }: Where): string {
  const named = { Blueprint: blueprint, action, phase, argument };
  const parts = Object.entries(named).flatMap(([what, name]) => (name === undefined ? [] : [`${what} ${name}`]));
  return [...parts, ...(line === undefined ? [] : [`line ${String(line)}`])].join(', ');
}

const MISSING = /^(?:map has no entry|nil data; no entry) for key (".*")$/;
const MAX_SOURCE = 80;

/** A problem of a template for people: upstream's sentence for a name that is not there, Go's words for the rest. */
export function templateMessage(problem: TemplateProblem): string {
  const missing = MISSING.exec(problem.message)?.[1];
  const what = missing === undefined ? problem.message : `${missing} not found`;
  const { source = '' } = problem;
  const shown = source.length > MAX_SOURCE ? `${source.slice(0, MAX_SOURCE)}…` : source;
  return `Failed to ${problem.kind === 'parse' ? 'parse' : 'render'} template: ${what}${shown === '' ? '' : ` at <${shown}>`}`;
}

export function templateLine(source: string, problem: TemplateProblem): number | undefined {
  return problem.at === undefined ? undefined : lineOf(source, problem);
}
