import type { Json } from '../../../base/index.ts';
import { decodeArgument, type ArgumentValues } from './decode.ts';
import type { ArgumentType, FunctionDeclaration } from './declaration.ts';

export type Arguments = Readonly<Record<string, Json | undefined>>;

/** What is wrong with an argument; `argument` is absent where it is about several. */
export interface ArgumentProblem {
  argument?: string;
  message: string;
  /** Whether it can be told from the Blueprint alone, or only once the templates are rendered. */
  kind: 'missing' | 'unknown' | 'null' | 'type' | 'exclusive';
}

/** In upstream's words, which people search for. */
export function checkNames(declaration: FunctionDeclaration, args: Arguments): ArgumentProblem[] {
  const { name } = declaration;
  const given = Object.keys(args).filter((key) => args[key] !== undefined);
  const missing = Object.entries(declaration.arguments)
    .filter(([argument, { isRequired }]) => isRequired && !given.includes(argument))
    .map(([argument]): ArgumentProblem => {
      const message = `Required args missing for function ${name}: Required arg missing: ${argument}`;
      return { argument, message, kind: 'missing' };
    });
  const unknown = given
    .filter((argument) => !Object.hasOwn(declaration.arguments, argument))
    .map((argument): ArgumentProblem => {
      const message = `Checking supported args for function ${name}.: argument ${argument} is not supported`;
      return { argument, message: message + meant(declaration, argument), kind: 'unknown' };
    });
  const exclusive = (declaration.oneOf ?? [])
    .map((names) => names.filter((argument) => given.includes(argument)))
    .filter((names) => names.length > 1)
    .map((names): ArgumentProblem => ({ message: `Require one argument: ${names.join(' or ')}`, kind: 'exclusive' }));
  return [...missing, ...unknown, ...exclusive];
}

function meant({ arguments: known }: FunctionDeclaration, argument: string): string {
  const like = Object.keys(known).find((candidate) => candidate.toLowerCase() === argument.toLowerCase());
  return like === undefined ? '' : ` (${like} is)`;
}

/** Rendered arguments with their types, or everything that is wrong with them. */
export function readArguments(
  declaration: FunctionDeclaration,
  args: Arguments,
): { values: Record<string, ArgumentValues[ArgumentType]>; problems: ArgumentProblem[] } {
  const values: Record<string, ArgumentValues[ArgumentType]> = {};
  const problems = checkNames(declaration, args);
  for (const [argument, { type }] of Object.entries(declaration.arguments)) {
    const json = args[argument];
    if (json === undefined) continue;
    if (json === null) {
      problems.push({ argument, message: `argument ${argument} is null`, kind: 'null' });
      continue;
    }
    const decoded = decodeArgument(type, json);
    if ('value' in decoded) values[argument] = decoded.value;
    else {
      const message = `Failed to decode arg \`${argument}\`: ${decoded.problem}`;
      problems.push({ argument, message, kind: 'type' });
    }
  }
  return { values, problems };
}
