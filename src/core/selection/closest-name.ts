const MAX_LENGTH = 253;

/** The name that somebody probably meant: the one that is at most two letters away; undefined when none is. */
export function closestName(name: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let least = Math.min(2, Math.ceil(name.length / 3)) + 1;
  for (const candidate of known) {
    // Each letter more or less is a step of its own, so most need no closer look.
    if (Math.abs(candidate.length - name.length) >= least || candidate.length > MAX_LENGTH) continue;
    const distance = stepsBetween(name, candidate);
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** Levenshtein's distance: how many letters have to be added, removed or replaced. */
function stepsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of Array.from(a).entries()) {
    const next = [i + 1];
    for (let j = 0; j < b.length; j += 1) {
      const replaced = (row[j] ?? 0) + (letter === b[j] ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
