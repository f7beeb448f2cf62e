/** Runes that are the same letter in different cases, where lower and upper case alone do not reach all of them. */
const UNUSUAL_ORBITS =
  'Kk\u212a Ssſ µΜμ Åå\u212b ßẞ İ ı Ǆǅǆ Ǉǈǉ Ǌǋǌ Ǳǲǳ \u0345Ιι\u1fbe Ββϐ Εεϵ Θθϑϴ Κκϰ Ππϖ Ρρϱ Σςσ Φφϕ Ωω\u2126 Ввᲀ Ддᲁ ' +
  'Ооᲂ Ссᲃ Ттᲄᲅ Ъъᲆ Ѣѣᲇ ᲈꙊꙋ Ṡṡẛ ᾀᾈ ᾁᾉ ᾂᾊ ᾃᾋ ᾄᾌ ᾅᾍ ᾆᾎ ᾇᾏ ᾐᾘ ᾑᾙ ᾒᾚ ᾓᾛ ᾔᾜ ᾕᾝ ᾖᾞ ᾗᾟ ᾠᾨ ᾡᾩ ᾢᾪ ᾣᾫ ᾤᾬ ᾥᾭ ᾦᾮ ᾧᾯ ᾳᾼ ῃῌ ῳῼ';
const UNUSUAL = new Map(
  UNUSUAL_ORBITS.split(' ').flatMap((orbit) => {
    const runes = Array.from(orbit, runeOf);
    return runes.map((rune) => [rune, runes] as const);
  }),
);

/** All runes that differ from this one only in case, including itself: Go's unicode.SimpleFold. */
export function caseOrbit(rune: number): readonly number[] {
  if (rune !== last.rune) last = { rune, orbit: UNUSUAL.get(rune) ?? usualOrbit(rune) };
  return last.orbit;
}

/** A pattern asks for the same rune many times before it moves to the next. */
let last: { rune: number; orbit: readonly number[] } = { rune: -1, orbit: [] };

function usualOrbit(rune: number): number[] {
  const letter = String.fromCodePoint(rune);
  const others = [letter.toLowerCase(), letter.toUpperCase()];
  // An upper case of several letters, such as that of ŉ, does not count.
  return [letter, ...others.filter((other) => other !== letter && Array.from(other).length === 1)].map(runeOf);
}

function runeOf(letter: string): number {
  return Number(letter.codePointAt(0));
}
