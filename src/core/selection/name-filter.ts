import { anyGlobMatcher } from './glob.ts';

/** Which names a list to include and a list to exclude select. Excluding wins; no list to include means all. */
export interface NameFilter {
  includes(name: string): boolean;
  /** Nothing is left out, so that even items without such a name are included. */
  isEverything: boolean;
}

type List = readonly string[] | null | undefined;

/** Lists may contain globs. They are compiled once, not for each name. */
export function nameFilter(included: List, excluded: List): NameFilter {
  const isIncluded = anyGlobMatcher(included ?? []);
  const isExcluded = anyGlobMatcher(excluded ?? []);
  const takesAll = (included ?? []).every((name) => name === '*');
  return {
    includes: (name) => (takesAll || isIncluded(name)) && !isExcluded(name),
    isEverything: takesAll && (excluded ?? []).length === 0,
  };
}

/** What is wrong with two lists, one sentence each, in Velero's words. */
export function listProblems(included: List, excluded: List): string[] {
  const includes = [...new Set(included ?? [])];
  const isIncluded = new Set(includes);
  const excludes = [...new Set(excluded ?? [])];
  const problems: string[] = [];
  if (includes.length > 1 && includes.includes('*')) {
    problems.push("includes list must either contain '*' only, or a non-empty list of items");
  }
  if (excludes.includes('*')) problems.push("excludes list cannot contain '*'");
  for (const name of excludes) {
    if (isIncluded.has(name)) problems.push(`excludes list cannot contain an item in the includes list: ${name}`);
  }
  return problems;
}
