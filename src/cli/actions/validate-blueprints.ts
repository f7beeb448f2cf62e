import { Blueprint } from '../../api/kanister/blueprint.ts';
import { AppError, isAppError, isObject, messageOf } from '../../base/index.ts';
import { validateBlueprint, whereText, type Problem } from '../../core/action/index.ts';
import type { CliDeps } from '../ports.ts';
import type { Printer } from '../print/printer.ts';
import { printJson } from '../print/structured.ts';

/** What is wrong with one Blueprint of a file. */
interface Verdict {
  file: string;
  name: string;
  phases: number;
  actions: number;
  problems: { where: string; message: string; severity: 'error' | 'warning' }[];
}

const KIND = 'Blueprint';

/** Prints every problem of every Blueprint, and returns the exit code. */
export async function validateBlueprints(
  deps: CliDeps,
  files: readonly string[],
  { asJson }: { asJson: boolean },
): Promise<number> {
  const verdicts: Verdict[] = [];
  for (const file of files) verdicts.push(...verdictsOf(file, await documentsIn(file, await deps.readFile(file))));
  if (asJson) printJson(deps.output, { blueprints: verdicts }, 2);
  else for (const verdict of verdicts) printVerdict(deps.output, verdict);
  return verdicts.some(({ problems }) => problems.some(({ severity }) => severity === 'error')) ? 1 : 0;
}

async function documentsIn(file: string, text: string): Promise<unknown[]> {
  const { parseAllDocuments } = await import('yaml');
  return parseAllDocuments(text).flatMap((document) => {
    const [error] = document.errors;
    if (error !== undefined) throw new AppError('invalid', `${file} is no YAML: ${error.message}`);
    try {
      const value: unknown = document.toJS();
      return value === null ? [] : itemsOf(value);
    } catch (cause) {
      throw new AppError('invalid', `${file} is no YAML: ${messageOf(cause)}`, { cause });
    }
  });
}

/** A list of objects, as kubectl writes several. */
function itemsOf(document: unknown): unknown[] {
  const items = isObject(document) && document['kind'] === 'List' ? document['items'] : undefined;
  return Array.isArray(items) ? items : [document];
}

function verdictsOf(file: string, documents: readonly unknown[]): Verdict[] {
  const blueprints = documents.filter((document) => isObject(document) && document['kind'] === KIND);
  if (blueprints.length === 0) throw new AppError('invalid', `${file}: expected a ${KIND}, found none`);
  return blueprints.map((document) => judge(file, document));
}

function judge(file: string, document: unknown): Verdict {
  try {
    const { value, unknown } = Blueprint.parse(document);
    const actions = Object.values(value.actions ?? {});
    return {
      file,
      name: value.metadata.name ?? '',
      actions: actions.length,
      phases: actions.reduce((sum, { phases = [], deferPhase }) => sum + phases.length + (deferPhase ? 1 : 0), 0),
      problems: [...validateBlueprint(value).map(shown), ...unknown.map(unknownField)],
    };
  } catch (error) {
    if (!isAppError(error, 'invalid')) throw error;
    const found = error.details?.['problems'];
    const messages = Array.isArray(found) ? found.map(String) : [error.message];
    const problems = messages.map((message) => ({ where: '', message, severity: 'error' as const }));
    return { file, name: nameOf(document), actions: 0, phases: 0, problems };
  }
}

function nameOf(document: unknown): string {
  const metadata = isObject(document) ? document['metadata'] : undefined;
  const name = isObject(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' ? name : '';
}

function shown({ where, message, stops }: Problem): Verdict['problems'][number] {
  const { blueprint: _blueprint, ...place } = where;
  return { where: whereText(place), message, severity: stops === 'nothing' ? 'warning' : 'error' };
}

function unknownField(path: string): Verdict['problems'][number] {
  return { where: '', message: `unknown field ${path}, which the cluster drops`, severity: 'warning' };
}

function printVerdict(output: Printer, { file, name, actions, phases, problems }: Verdict): void {
  const errors = problems.filter(({ severity }) => severity === 'error').length;
  const title = `blueprint/${name === '' ? '(no name)' : name}`;
  if (errors === 0) output.line(`✓ ${title}  ${count(actions, 'action')}, ${count(phases, 'phase')}`);
  else output.line(`✕ ${title}  ${count(errors, 'problem')} in ${file}`);
  for (const { where, message, severity } of problems) {
    output.line(`  ${severity === 'error' ? '✕' : '!'} ${where === '' ? '' : `${where}: `}${message}`);
  }
}

function count(number: number, noun: string): string {
  return `${String(number)} ${noun}${number === 1 ? '' : 's'}`;
}
