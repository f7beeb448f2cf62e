import { unfit } from './unfit.ts';

/** RFC 6901: the path to a place in a document. */
export interface Pointer {
  text: string;
  /** Empty for the whole document; undefined when the text is not a pointer. */
  steps: readonly string[] | undefined;
}

export function parsePointer(text: string): Pointer {
  const [first, ...steps] = text.split('/');
  if (first !== '') return { text, steps: undefined };
  if (!text.includes('~')) return { text, steps };
  return { text, steps: steps.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~')) };
}

/** The path to the container of the place, and the key of the place in it. */
export function lastStep({ text, steps = [] }: Pointer): { way: readonly string[]; key: string } {
  const key = steps.at(-1);
  if (key === undefined) throw unfit(`doc is missing path: ${shown(text)}`);
  return { way: steps.slice(0, -1), key };
}

const MAX_SHOWN = 200;

/** Quoted, for messages. */
export function shown(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text);
}
