import { isObject, type Json } from '../../../base/index.ts';
import { templateLine, templateMessage, type Where } from '../arguments/where.ts';
import type { FunctionDeclaration } from '../functions/declaration.ts';
import { TemplateProblem, checkTemplate, type Functions } from '../template/index.ts';
import type { Problem } from './problem.ts';

const MAX_DEPTH = 100;

/** Templates in the arguments of a phase that cannot be read. */
export function templateProblems(
  args: Readonly<Record<string, Json | undefined>>,
  declaration: FunctionDeclaration | undefined,
  where: Where,
): Problem[] {
  const problems: Problem[] = [];
  for (const [name, value] of Object.entries(args)) {
    walk(value ?? null, name, 0, (text, path) => {
      const functions = functionsFor(declaration, path);
      if (functions !== undefined) problems.push(...check(text, { ...where, argument: path }, functions));
    });
  }
  return problems;
}

/** Conditions of WaitV2 have other functions, and those of Wait are no templates before the object is known. */
function functionsFor(declaration: FunctionDeclaration | undefined, path: string): Functions | undefined {
  const isCondition = declaration?.rendersArguments === false && path.endsWith('.condition');
  if (!isCondition) return 'sprig';
  return declaration.name === 'WaitV2' ? 'kubectl' : undefined;
}

/** One text, such as an artifact. */
export function check(text: string, where: Where, functions: Functions = 'sprig'): Problem[] {
  try {
    checkTemplate(text, functions);
    return [];
  } catch (error) {
    if (!(error instanceof TemplateProblem)) throw error;
    const line = templateLine(text, error);
    return [{ where: { ...where, line }, message: templateMessage(error), stops: 'run' }];
  }
}

/** Every text in a value, and every key. */
export function walk(json: Json, path: string, depth: number, visit: (text: string, path: string) => void): void {
  if (typeof json === 'string') visit(json, path);
  else if (depth > MAX_DEPTH) return;
  else if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) walk(item, `${path}[${String(index)}]`, depth + 1, visit);
  } else if (isObject(json)) {
    for (const [key, item] of Object.entries(json)) {
      visit(key, `${path}.${key}`);
      walk(item ?? null, `${path}.${key}`, depth + 1, visit);
    }
  }
}
