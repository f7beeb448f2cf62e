import { cleanText } from '../../../base/index.ts';

/** A Kubernetes object is limited to 1.5 MB, and one whose status cannot be written would never end. */
const MAX_PROBLEMS = 100;
const MAX_TEXT = 2_000;

/** A reason that fits into a status, whatever a store or an API server said. */
export function boundedText(text: string): string {
  return cleanText(text, MAX_TEXT);
}

/** The first of them, and how many more there are. */
export function boundedProblems(problems: readonly string[]): string[] {
  const first = problems.slice(0, MAX_PROBLEMS).map(boundedText);
  return problems.length > MAX_PROBLEMS ? [...first, `and ${problems.length - MAX_PROBLEMS} more`] : first;
}
