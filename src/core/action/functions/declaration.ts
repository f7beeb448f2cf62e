/** How the value of an argument is read; upstream's readers are lenient, and so are ours. */
export type ArgumentType =
  | 'text'
  | 'texts'
  | 'flag'
  | 'count'
  | 'textMap'
  /** A pod spec, or a part of one. */
  | 'podSpec'
  | 'objectReference'
  | 'conditions';

export interface Argument {
  readonly type: ArgumentType;
  readonly isRequired: boolean;
  readonly doc: string;
}

/**
 * How a phase tells how far it is: by bytes of the tool that moves data; in thirds for prerequisites, execution and
 * cleanup; or not until it is done.
 */
export type ProgressClass = 'bytes' | 'thirds' | 'once';

/**
 * What becomes of a phase that ran when the controller ended: its pod is found again by its name, its calls are made
 * once more, or it fails, because a command in somebody else's container cannot be found again.
 */
export type ResumeClass = 'pod' | 'repeat' | 'fail';

export interface FunctionDeclaration {
  readonly name: string;
  readonly doc: string;
  readonly arguments: Readonly<Record<string, Argument>>;
  /** What it returns; `kando` for whatever its command prints by `kando output`. */
  readonly outputs: readonly string[] | 'kando';
  readonly progress: ProgressClass;
  readonly resume: ResumeClass;
  /** Wait renders its conditions itself, again and again. */
  readonly rendersArguments: boolean;
  /** Why it cannot be used; absent if it can. */
  readonly unsupported?: string;
  /** Arguments that exclude each other. */
  readonly oneOf?: readonly (readonly string[])[];
  /** The name of its pods up to what is particular to one. */
  readonly podPrefix?: string;
  readonly needsProfile?: boolean;
}

type Options = Partial<Omit<FunctionDeclaration, 'name' | 'doc' | 'arguments'>>;

export function declare(
  name: string,
  doc: string,
  args: Readonly<Record<string, Argument>>,
  options: Options = {},
): FunctionDeclaration {
  return {
    name,
    doc,
    arguments: args,
    outputs: [],
    progress: 'thirds',
    resume: 'repeat',
    rendersArguments: true,
    ...options,
  };
}

export const required = (type: ArgumentType, doc: string): Argument => ({ type, doc, isRequired: true });
export const optional = (type: ArgumentType, doc: string): Argument => ({ type, doc, isRequired: false });

/** What every function takes that starts a pod. */
export const POD_ARGUMENTS = {
  podOverride: optional('podSpec', 'Pod spec that is merged into the pod; that of the ActionSet wins.'),
  podAnnotations: optional('textMap', 'Annotations of the pod; they win over those of the ActionSet.'),
  podLabels: optional('textMap', 'Labels of the pod; they win over those of the ActionSet.'),
} as const;
