import { anyGlobMatcher } from '../selection/index.ts';

/** Each brace multiplies them; nobody writes so many by hand. */
const MOST_ALTERNATIVES = 1000;

/** Undefined for a pattern that can be matched. */
export function patternProblem(pattern: string): string | undefined {
  const choices = Array.from(pattern.matchAll(/\{([^{}]*)/g), ([, inner = '']) => inner.split(',').length);
  // What stands outside of the innermost braces may separate as well.
  const total = choices.reduce((product, count) => product * count, 1 + pattern.split('},').length);
  return total > MOST_ALTERNATIVES ? `"${pattern.slice(0, 100)}" has too many alternatives` : undefined;
}

/**
 * Which group-resources a pattern means: `*` and `?` stay between two dots, `**` does not, and `{a,b}.apps` is either.
 */
export function resourceMatcher(pattern: string): (groupResource: string) => boolean {
  const matchers = alternatives(pattern).map(oneMatcher);
  return (groupResource) => matchers.some((match) => match(groupResource));
}

function oneMatcher(pattern: string): (groupResource: string) => boolean {
  if (pattern.includes('**')) return anyGlobMatcher([pattern.replaceAll('**', '*')]);
  const parts = pattern.split('.').map((part) => anyGlobMatcher([part]));
  return (groupResource) => {
    const own = groupResource.split('.');
    return own.length === parts.length && parts.every((match, at) => match(own[at] ?? ''));
  };
}

/** One brace at a time, the innermost first. Braces that are not closed are letters like any other. */
function alternatives(pattern: string): string[] {
  const [braces, inner] = /\{([^{}]*)\}/.exec(pattern) ?? [];
  if (braces === undefined || inner === undefined) return [pattern];
  return inner.split(',').flatMap((choice) => alternatives(pattern.replace(braces, () => choice)));
}
