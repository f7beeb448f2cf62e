import { held } from './inspect.ts';
import { ANY, BOOL, DICT, FLOAT64, INT, REFLECT, STRING } from './type.ts';
import type { Callable, Int, Mapping, Run, Type, Value } from './value.ts';

/** A parameter of a function: its type in Go, and what the function gets to see. */
export interface Parameter<T> {
  readonly type: Type;
  readonly read: (value: Value) => T;
}

type Read<Parameters extends readonly Parameter<unknown>[]> = {
  [Index in keyof Parameters]: Parameters[Index] extends Parameter<infer T> ? T : never;
};

export const text: Parameter<string> = { type: STRING, read: (value) => value as string };
export const flag: Parameter<boolean> = { type: BOOL, read: (value) => value as boolean };
export const real: Parameter<number> = { type: FLOAT64, read: (value) => value as number };
/** An int. Beyond 2^53 it is inexact, which no length or count is. */
export const whole: Parameter<number> = { type: INT, read: (value) => Number((value as Int).value) };
/** Whatever it is; nil is undefined. */
export const any: Parameter<Exclude<Value, null>> = { type: ANY, read: held };
/** The same for text/template's own functions, which tell nil and nothing apart. */
export const raw: Parameter<Value> = { type: REFLECT, read: (value) => value };
export const mapping: Parameter<Mapping> = { type: DICT, read: (value) => value as Mapping };

/** A function of fixed parameters. */
export function fn<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  call: (...args: Read<P>) => Value,
): Callable {
  return costly(parameters, (_run, ...args) => call(...args));
}

/** One that counts its work, or asks for the time. */
export function costly<const P extends readonly Parameter<unknown>[]>(
  parameters: P,
  call: (run: Run, ...args: Read<P>) => Value,
): Callable {
  return {
    takes: parameters.map(({ type }) => type),
    call: (args, run) => call(run, ...(parameters.map(({ read }, index) => read(args[index])) as Read<P>)),
  };
}

/** One whose last parameter stands for any number of arguments. */
export function variadic<const P extends readonly Parameter<unknown>[], T>(
  parameters: P,
  rest: Parameter<T>,
  call: (run: Run, fixed: Read<P>, others: T[]) => Value,
): Callable {
  return {
    takes: parameters.map(({ type }) => type),
    rest: rest.type,
    call: (args, run) => {
      const fixed = parameters.map(({ read }, index) => read(args[index])) as Read<P>;
      return call(
        run,
        fixed,
        args.slice(parameters.length).map((value) => rest.read(value)),
      );
    },
  };
}
