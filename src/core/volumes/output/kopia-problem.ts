/** A file that kopia could not copy, as told between two lines of progress. */
export interface FileProblem {
  path: string;
  cause: string;
  /** It was deleted after kopia had seen it, or something else took its place: usual in a volume that is in use. */
  hasVanished: boolean;
}

const LINE = /^ ?(?:! )?(?<ignored>Ignored e|E)rror when processing "(?<path>.*?)": (?<cause>.+)$/s;
const VANISHED = /(?:no such file or directory|not a directory|is a directory)$/;
const COLORS = /\u001b\[[\d;]{0,20}m/g;

/** Without the colours that kopia uses on some terminals, and without the blanks with which it wipes longer lines. */
export function plainLine(line: string): string {
  return line.replace(COLORS, '').trimEnd();
}

/** Undefined for any other line. What kopia ignores (sockets, devices) is a problem too: it is not in the snapshot. */
export function parseKopiaProblem(line: string): FileProblem | undefined {
  const found = LINE.exec(line)?.groups;
  if (found === undefined) return undefined;
  const { path = '', cause = '' } = found;
  return { path, cause, hasVanished: VANISHED.test(cause) };
}
