import type { NumberLiteral } from './number.ts';

/** Where a node stands in the template's text, for messages. */
interface Place {
  readonly at: number;
  readonly end: number;
}

export type Node =
  | { readonly kind: 'text'; readonly text: string }
  | (Place & { readonly kind: 'action'; readonly pipe: Pipe })
  | (Place & Control & { readonly kind: 'if' | 'with' | 'range' })
  | (Place & { readonly kind: 'template'; readonly name: string; readonly pipe: Pipe | undefined })
  | { readonly kind: 'break' | 'continue' };

export interface Control {
  readonly pipe: Pipe;
  readonly body: readonly Node[];
  readonly otherwise: readonly Node[] | undefined;
}

export interface Pipe extends Place {
  /** The variables that get its value, with their dollar signs. */
  readonly variables: readonly string[];
  /** Whether they exist already. */
  readonly isAssign: boolean;
  readonly commands: readonly Command[];
}

export interface Command extends Place {
  readonly first: Operand;
  readonly args: readonly Operand[];
}

export type Operand = Place &
  (
    | { readonly kind: 'dot' | 'nil' }
    | { readonly kind: 'bool'; readonly value: boolean }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'number'; readonly number: NumberLiteral }
    | { readonly kind: 'field'; readonly names: readonly string[] }
    | { readonly kind: 'variable'; readonly variable: string; readonly names: readonly string[] }
    | { readonly kind: 'function'; readonly name: string }
    | { readonly kind: 'pipe'; readonly pipe: Pipe }
    | { readonly kind: 'chain'; readonly of: Operand; readonly names: readonly string[] }
  );

/** A template and those it defines, by name. */
export interface Template {
  readonly text: string;
  readonly root: string;
  readonly trees: ReadonlyMap<string, readonly Node[]>;
}
