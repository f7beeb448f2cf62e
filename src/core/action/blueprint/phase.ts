import type { Blueprint } from '../../../api/kanister/blueprint.ts';
import { isObject, parseGoDuration, type Json } from '../../../base/index.ts';
import type { Where } from '../arguments/where.ts';
import { checkNames, readArguments, type Arguments } from '../functions/check.ts';
import type { FunctionDeclaration } from '../functions/declaration.ts';
import { functionLike, functionNamed } from '../functions/table.ts';
import { templateProblems } from './templates.ts';
import type { Problem } from './problem.ts';

export type BlueprintAction = NonNullable<Blueprint['actions']>[string];
export type BlueprintPhase = NonNullable<BlueprintAction['phases']>[number];

const FETCHED = ['secret', 'configmap'];

/** Everything that is wrong with one phase by itself. */
export function phaseProblems(phase: BlueprintPhase, where: Where): Problem[] {
  const { func = '', args = {} } = phase;
  const declaration = functionNamed(func);
  return [
    ...(declaration === undefined ? [unknownFunction(func, where)] : argumentProblems(declaration, args, where)),
    ...templateProblems(args, declaration, where),
    ...objectProblems(phase, where),
    ...timeoutProblems(phase, where),
  ];
}

function unknownFunction(func: string, where: Where): Problem {
  const like = functionLike(func);
  const hint = like === undefined ? '' : ` (its name is ${like})`;
  return { where, message: `Requested function {${func}} has not been registered${hint}`, stops: 'run' };
}

function argumentProblems(declaration: FunctionDeclaration, args: Arguments, where: Where): Problem[] {
  const { unsupported, name } = declaration;
  if (unsupported !== undefined) {
    return [{ where, message: `${name} is not supported: ${unsupported}`, stops: 'run' }];
  }
  // What a template will be is not known yet: the type of the others is.
  const { problems } = readArguments(declaration, withoutTemplates(args));
  const names = checkNames(declaration, args);
  const types = problems.filter(({ kind }) => kind === 'type' || kind === 'null');
  return [...names, ...types].map(({ argument, message, kind }): Problem => ({
    where: argument === undefined ? where : { ...where, argument },
    message,
    stops: kind === 'unknown' || kind === 'null' ? 'run' : 'phase',
  }));
}

function withoutTemplates(args: Arguments): Arguments {
  return Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined && !hasTemplate(value)));
}

function hasTemplate(json: Json): boolean {
  if (typeof json === 'string') return json.includes('{{');
  if (Array.isArray(json)) return json.some(hasTemplate);
  return isObject(json) && Object.entries(json).some(([key, item]) => key.includes('{{') || hasTemplate(item ?? null));
}

function objectProblems({ objects = {} }: BlueprintPhase, where: Where): Problem[] {
  return Object.entries(objects)
    .filter(([, { kind = '' }]) => !FETCHED.includes(kind.toLowerCase()))
    .map(([name, { kind = '' }]) => ({
      where: { ...where, argument: `objects.${name}` },
      message: `only objects of kind Secret and ConfigMap are fetched, not ${kind === '' ? 'one without a kind' : kind}`,
      stops: 'nothing',
    }));
}

function timeoutProblems({ timeout }: BlueprintPhase, where: Where): Problem[] {
  const ms = timeout === undefined ? 1 : (parseGoDuration(timeout) ?? 0);
  if (ms > 0) return [];
  return [{ where, message: `timeout: expected a duration above nought, got "${timeout ?? ''}"`, stops: 'run' }];
}
