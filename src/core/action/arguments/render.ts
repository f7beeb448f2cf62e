import { AppError, setOwn, type Json, type JsonObject } from '../../../base/index.ts';
import { TemplateProblem, renderTemplate, type Budget, type Value } from '../template/index.ts';
import { templateLine, templateMessage, whereText, type Where } from './where.ts';

export interface Rendering {
  /** What templates see. */
  params: Value;
  /** For all templates that are rendered together. */
  budget: Budget;
  where: Where;
}

/** What could not be rendered, and where it stands. */
export interface RenderProblem {
  where: Where;
  message: string;
  problem: TemplateProblem | undefined;
}

const MAX_DEPTH = 100;

/** Renders every text in a value, keys included; everything else stays as it is. Collects all problems. */
export class Renderer {
  readonly problems: RenderProblem[] = [];
  readonly #rendering: Rendering;

  constructor(rendering: Rendering) {
    this.#rendering = rendering;
  }

  /** `path` is where the value stands in its argument. */
  value(json: Json, path: string, depth = 0): Json {
    if (typeof json === 'string') return this.text(json, path);
    if (json === null) {
      this.#report(path, `argument ${path} is null`);
      return null;
    }
    if (typeof json !== 'object') return json;
    if (depth > MAX_DEPTH) {
      this.#report(path, `is nested deeper than ${String(MAX_DEPTH)} levels`);
      return null;
    }
    if (Array.isArray(json)) return json.map((item, index) => this.value(item, `${path}[${String(index)}]`, depth + 1));
    return this.#object(json, path, depth);
  }

  text(source: string, path: string): string {
    try {
      return renderTemplate(source, this.#rendering.params, { budget: this.#rendering.budget });
    } catch (error) {
      if (!(error instanceof TemplateProblem)) throw error;
      this.#report(path, templateMessage(error), { line: templateLine(source, error), problem: error });
      return '';
    }
  }

  /** Throws `invalid` with everything that was found. */
  check(): void {
    if (this.problems.length === 0) return;
    const messages = this.problems.map(({ where, message }) => `${whereText(where)}: ${message}`);
    throw new AppError('invalid', messages.join('; '), { details: { problems: messages } });
  }

  #object(object: JsonObject, path: string, depth: number): JsonObject {
    const result: JsonObject = {};
    for (const [key, item] of Object.entries(object)) {
      if (item === undefined) continue;
      const at = path === '' ? key : `${path}.${key}`;
      setOwn(result, this.text(key, at), this.value(item, at, depth + 1));
    }
    return result;
  }

  #report(path: string, message: string, more: { line?: number | undefined; problem?: TemplateProblem } = {}): void {
    const { where } = this.#rendering;
    // A template that ran out of its share takes that of all others with it.
    if (this.problems.some(({ problem }) => problem?.kind === 'limit')) return;
    const argument = path === '' ? where.argument : path;
    this.problems.push({ where: { ...where, argument, line: more.line }, message, problem: more.problem });
  }
}

/** The arguments of a phase, rendered. Throws `invalid` with every problem. */
export function renderArguments(args: Readonly<JsonObject>, rendering: Rendering): JsonObject {
  const renderer = new Renderer(rendering);
  const result: JsonObject = {};
  // The names of arguments are no templates.
  for (const [name, value] of Object.entries(args)) {
    if (value !== undefined) setOwn(result, name, renderer.value(value, name));
  }
  renderer.check();
  return result;
}

type Fields = Readonly<Record<string, string | undefined>>;

/** Object references of a phase, rendered: which Secret, in which namespace. */
export function renderReferences(
  references: Readonly<Record<string, Fields>>,
  rendering: Rendering,
): Record<string, Record<string, string>> {
  const renderer = new Renderer(rendering);
  const result = Object.entries(references).map(([name, fields]): [string, Record<string, string>] => [
    name,
    Object.fromEntries(
      Object.entries(fields).flatMap(([field, value]) =>
        value === undefined ? [] : [[field, renderer.text(value, `objects.${name}.${field}`)] as const],
      ),
    ),
  ]);
  renderer.check();
  return Object.fromEntries(result);
}
