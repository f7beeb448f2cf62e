const MOST = 3;
const LONGEST = 100;

/** The meanings of the spellings closest to what was typed, best first, at most three; no wild guesses. */
export function nearMisses(typed: string, meaningOf: ReadonlyMap<string, string>): string[] {
  if (typed.length > LONGEST) return [];
  // A long word with two typos is still recognizable; a short one is another word.
  const slips = typed.length <= 4 ? 1 : 2;
  const scored = [...meaningOf]
    .map(([spelling, meaning]) => ({ meaning, score: score(typed, spelling) }))
    .filter((candidate) => candidate.score <= slips)
    .toSorted((a, b) => a.score - b.score);
  return [...new Set(scored.map((candidate) => candidate.meaning))].slice(0, MOST);
}

function score(typed: string, spelling: string): number {
  const startsAlike = typed.length >= 3 && spelling.startsWith(typed);
  return startsAlike ? 0.5 : distance(typed, spelling);
}

/** Levenshtein distance: letters to add, drop or change. */
function distance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(change, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? 0;
}
