const TOKEN = /\\[^]|\*\*|\*|\[[^\]]+\]|[^]/gu;
/** Characters with a meaning in Go's patterns, in brackets or outside. */
const SPECIAL = /[\\^$.*+?()[\]{}|-]/g;

/**
 * Go's pattern for a glob of group-resources as Velero's library reads it: `*` and `?` do not cross a dot, `**` does,
 * `[abc]`, `[a-c]` and `[!abc]` are one letter, `{a,b}.apps` is either. Unclosed brackets are letters.
 */
export function resourcePattern(glob: string): string {
  const tokens = Array.from(glob.matchAll(TOKEN), ([token]) => token);
  const braces = bracesOf(tokens);
  let depth = 0;
  const parts = tokens.map((token, index) => {
    if (!braces.has(index)) return token === ',' && depth > 0 ? '|' : partOf(token);
    depth += token === '{' ? 1 : -1;
    return token === '{' ? '(?:' : ')';
  });
  return `^(?s:${parts.join('')})$`;
}

/** The positions of matching braces. */
function bracesOf(tokens: readonly string[]): Set<number> {
  const pairs = new Set<number>();
  const open: number[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token === '{') open.push(index);
    const opening = token === '}' ? open.pop() : undefined;
    if (opening !== undefined) pairs.add(opening).add(index);
  }
  return pairs;
}

function partOf(token: string): string {
  if (token === '**') return '.*';
  if (token === '*') return '[^.]*';
  if (token === '?') return '[^.]';
  if (token.startsWith('[') && token.length > 2) return bracketsOf(token.slice(1, -1));
  return escaped(token.length > 1 && token.startsWith('\\') ? token.slice(1) : token);
}

/** `[a-z]` is a range; in any other brackets a dash is just a dash. */
function bracketsOf(inner: string): string {
  const [, not = '', letters = ''] = /^(!?)([^]+)$/.exec(inner) ?? [];
  const [range, first = '', last = ''] = /^([^])-([^])$/u.exec(letters) ?? [];
  return `[${not === '!' ? '^' : ''}${range === undefined ? escaped(letters) : `${escaped(first)}-${escaped(last)}`}]`;
}

function escaped(text: string): string {
  return text.replaceAll(SPECIAL, '\\$&');
}
