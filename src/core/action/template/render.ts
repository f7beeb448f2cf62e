import { BUILTINS } from './builtin/index.ts';
import { KUBECTL } from './builtin/kubectl.ts';
import { parseTemplate } from './parse/parser.ts';
import { TemplateProblem } from './problem.ts';
import type { Budget } from './run/budget.ts';
import type { MissingKey } from './run/fields.ts';
import { Walker } from './run/walker.ts';
import { SPRIG } from './sprig/index.ts';
import { goText, plainText } from './value/go-text.ts';
import type { Callable, Value } from './value/value.ts';

/** Blueprints use sprig; the conditions of WaitV2 have what kubectl's templates have. */
const FUNCTIONS = {
  sprig: new Map<string, Callable>(Object.entries({ ...BUILTINS, ...SPRIG })),
  kubectl: new Map<string, Callable>(Object.entries({ ...BUILTINS, ...KUBECTL })),
} as const;
export type Functions = keyof typeof FUNCTIONS;

export interface RenderOptions {
  /** What this template and others may use together. */
  budget: Budget;
  missingKey?: MissingKey;
  functions?: Functions;
}

/** No object of a cluster is larger. */
const MAX_LENGTH = 1024 * 1024;

/** Carries out a template. Throws TemplateProblem. */
export function renderTemplate(source: string, data: Value, options: RenderOptions): string {
  if (!source.includes('{{')) return checked(source);
  const { missingKey = 'error', functions: name = 'sprig' } = options;
  const functions = FUNCTIONS[name];
  const template = parseTemplate(goText(checked(source)), (word) => functions.has(word));
  const { budget } = options;
  return plainText(new Walker({ template, functions, missingKey, run: budget }, budget).run(data));
}

/** Whether a template can be read, and names functions that exist. Throws TemplateProblem if not. */
export function checkTemplate(source: string, name: Functions = 'sprig'): void {
  if (source.includes('{{')) parseTemplate(goText(checked(source)), (word) => FUNCTIONS[name].has(word));
}

function checked(source: string): string {
  if (source.length <= MAX_LENGTH) return source;
  throw new TemplateProblem('limit', `is longer than ${String(MAX_LENGTH)} characters`);
}

/** The line of a template on which a problem is, from 1 on. */
export function lineOf(source: string, { at = 0 }: TemplateProblem): number {
  return source.slice(0, at).split('\n').length;
}
