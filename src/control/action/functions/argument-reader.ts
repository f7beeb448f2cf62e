import { AppError, type JsonObject } from '../../../base/index.ts';
import {
  readArguments,
  type Arguments,
  type ArgumentType,
  type ArgumentValues,
  type Conditions,
  type FunctionDeclaration,
  type ObjectReference,
} from '../../../core/action/index.ts';

/** The arguments of a phase with their types. Each has a method for those that must be there, by their declaration. */
export class ArgumentReader {
  readonly #declaration: FunctionDeclaration;
  readonly #values: Readonly<Record<string, ArgumentValues[ArgumentType]>>;

  /** Throws `invalid` with everything that is wrong with them, in upstream's words. */
  constructor(declaration: FunctionDeclaration, args: Arguments) {
    const { values, problems } = readArguments(declaration, args);
    if (problems.length > 0) {
      throw new AppError('invalid', problems.map(({ message }) => message).join('; '));
    }
    this.#declaration = declaration;
    this.#values = values;
  }

  has(name: string): boolean {
    return this.#values[name] !== undefined;
  }

  text(name: string): string {
    return this.#required(name, 'text');
  }

  /** An empty text counts as none, as upstream has it. */
  textOr(name: string, otherwise: string): string {
    const given = this.#optional(name, 'text');
    return given === undefined || given === '' ? otherwise : given;
  }

  optionalText(name: string): string | undefined {
    const given = this.#optional(name, 'text');
    return given === '' ? undefined : given;
  }

  texts(name: string): string[] {
    return this.#required(name, 'texts');
  }

  optionalTexts(name: string): string[] | undefined {
    return this.#optional(name, 'texts');
  }

  flagOr(name: string, otherwise: boolean): boolean {
    return this.#optional(name, 'flag') ?? otherwise;
  }

  textMap(name: string): Record<string, string> | undefined {
    return this.#optional(name, 'textMap');
  }

  podSpec(name: string): JsonObject | undefined {
    return this.#optional(name, 'podSpec');
  }

  reference(name: string): ObjectReference | undefined {
    return this.#optional(name, 'objectReference');
  }

  conditions(name: string): Conditions {
    return this.#required(name, 'conditions');
  }

  /** Names separated by spaces, as KubeExecAll and its like have them. */
  names(name: string): string[] {
    return (this.optionalText(name) ?? '').split(/\s+/).filter((each) => each !== '');
  }

  #required<T extends ArgumentType>(name: string, type: T): ArgumentValues[T] {
    const value = this.#optional(name, type);
    if (value === undefined) throw new AppError('bug', `${this.#declaration.name} has no argument ${name}`);
    return value;
  }

  #optional<T extends ArgumentType>(name: string, type: T): ArgumentValues[T] | undefined {
    if (this.#declaration.arguments[name]?.type !== type) {
      throw new AppError('bug', `${this.#declaration.name} declares no argument ${name} of type ${type}`);
    }
    return this.#values[name] as ArgumentValues[T] | undefined;
  }
}
