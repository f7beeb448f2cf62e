/** Where something is that a container would see elsewhere. */
export interface Moved {
  target: string;
  source: string;
}

const ENDS = String.raw`(?=$|[/\s"'\`:;,)\]}>|&])`;
const BEGINS = String.raw`(?<![\w./-])`;

/** The text with every path of a container replaced by that of the machine: without namespaces there is no other way. */
export function withPaths(text: string, moved: readonly Moved[]): string {
  const known = moved.filter(({ target }) => target !== '/' && text.includes(target));
  if (known.length === 0) return text;
  const longestFirst = known.toSorted((a, b) => b.target.length - a.target.length);
  const pattern = new RegExp(
    `${BEGINS}(?:${longestFirst.map(({ target }) => RegExp.escape(target)).join('|')})${ENDS}`,
    'g',
  );
  return text.replaceAll(pattern, (target) => known.find((one) => one.target === target)?.source ?? target);
}
