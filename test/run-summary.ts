import { writeFileSync } from 'node:fs';
import type { SerializedError } from 'vitest';
import type { Reporter, TestCase, TestModule, Vitest } from 'vitest/node';

interface Outcome {
  file: string;
  /** Titles of the suites around the test, and its own. */
  titles: readonly string[];
  state: 'passed' | 'failed' | 'skipped' | 'pending';
  /** Failed first and passed when it was run again. */
  isFlaky?: boolean;
  ms?: number;
  /** Inputs that its properties were tried with. */
  cases?: number;
}

const SLOWEST = 20;
const SLOW_MS = 1000;

/** What must hold on both servers is counted on each: a suite that silently shrank would be seen here. */
const COUNTED: Readonly<Record<string, RegExp>> = {
  'contract on pocket': /^test\/contract\/pocket\./,
  'contract on the real kube-apiserver': /^test\/contract\/real\./,
  'pods on pocket': /^test\/contract\/pocket-pods\./,
  'pods on a real kubelet': /^test\/contract\/real-pods\./,
  'client on pocket': /^test\/integration\/kube-client-\S+ .* on pocket/,
  'client on the real kube-apiserver': /^test\/integration\/kube-client-\S+ .* on a real API server/,
};

/** Said at the end of a run: how many cases passed on each server, and what was skipped, one line and reason each. */
export function summaryOf(outcomes: readonly Outcome[]): string[] {
  const skips = Map.groupBy(
    outcomes.filter(({ state }) => state === 'skipped'),
    ({ file, titles }) => titles.find((title) => title.includes('(skipped')) ?? `${file}: no reason is given`,
  );
  const counts = Object.entries(COUNTED).flatMap(([name, pattern]) => {
    const cases = outcomes.filter(({ file, titles }) => pattern.test(`${file} ${titles.join(' ')}`));
    return cases.length === 0 ? [] : [`${name}: ${countsOf(cases)}`];
  });
  const skipLines = [...skips].map(([reason, tests]) => `${String(tests.length).padStart(5)}  ${reason}`);
  const flaky = outcomes.filter(({ isFlaky }) => isFlaky).map(({ file, titles }) => `  ${file} ${titles.join(' > ')}`);
  return [
    ...counts,
    ...caseLines(outcomes),
    ...slowLines(outcomes),
    ...(flaky.length > 0 ? ['passed only when run again:', ...flaky] : []),
    ...(skipLines.length > 0 ? ['skipped:', ...skipLines.toSorted()] : []),
  ];
}

/** Where the time of a long run goes. */
function slowLines(outcomes: readonly Outcome[]): string[] {
  const slow = outcomes.filter(({ ms = 0 }) => ms >= SLOW_MS).toSorted((one, other) => other.ms! - one.ms!);
  if (slow.length < SLOWEST) return [];
  const lines = slow.slice(0, SLOWEST).map(({ file, titles, ms = 0 }) => {
    return `${(ms / 1000).toFixed(1).padStart(7)} s  ${file} ${titles.join(' > ')}`;
  });
  return ['slowest:', ...lines];
}

/** Of a campaign: how many inputs each file's properties were tried with. */
function caseLines(outcomes: readonly Outcome[]): string[] {
  const files = Map.groupBy(
    outcomes.filter(({ cases }) => cases !== undefined),
    ({ file }) => file,
  );
  if (files.size === 0) return [];
  const lines = [...files].map(([file, tests]) => {
    const cases = tests.reduce((sum, test) => sum + (test.cases ?? 0), 0);
    return `${String(cases).padStart(9)}  ${file}`;
  });
  return ['cases:', ...lines.toSorted()];
}

function countsOf(cases: readonly Outcome[]): string {
  const counted = Map.groupBy(cases, ({ state }) => state);
  const words = (['passed', 'failed', 'skipped', 'pending'] as const).map((state) => {
    const count = counted.get(state)?.length ?? 0;
    return count > 0 || state === 'passed' ? `${count} ${state}` : undefined;
  });
  return words.filter((word) => word !== undefined).join(', ');
}

/** Beside the JSON: the files in which something was thrown outside of every test. */
export function straysPath(report: string): string {
  return `${report}.strays`;
}

/** vitest's own report counts skipped tests and hides why; this one adds the reasons. */
export class RunSummary implements Reporter {
  #isWhole = true;
  readonly #left: readonly string[];
  readonly #report: string | undefined;

  /** `left`: what this run leaves out, to be said at its end. `report`: where vitest writes its JSON. */
  constructor(left: readonly string[] = [], report?: string) {
    this.#left = left;
    this.#report = report;
  }

  onInit(vitest: Vitest): void {
    // With -t everything else counts as skipped, and whoever typed it knows why.
    this.#isWhole = vitest.config.testNamePattern === undefined;
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    // vitest's own JSON does not tell of them.
    if (this.#report !== undefined && errors.length > 0) {
      const files = errors.map(({ VITEST_TEST_PATH: file }) => (typeof file === 'string' ? file : ''));
      writeFileSync(straysPath(this.#report), files.join('\n'));
    }
    if (!this.#isWhole) return;
    const outcomes = modules.flatMap((module) => [...module.children.allTests()].map(outcomeOf));
    const lines = summaryOf(outcomes);
    if (this.#left.length > 0)
      lines.push(`not run, because they take minutes (HEADWAY_LONG=1 runs them): ${this.#left.join(', ')}`);
    if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`);
  }
}

function outcomeOf(test: TestCase): Outcome {
  const titles = [test.name];
  const { cases } = test.meta();
  for (let around = test.parent; around.type === 'suite'; around = around.parent) titles.unshift(around.name);
  return {
    file: test.module.relativeModuleId,
    titles,
    state: test.result().state,
    isFlaky: test.diagnostic()?.flaky ?? false,
    ms: test.diagnostic()?.duration ?? 0,
    ...(cases === undefined ? {} : { cases }),
  };
}
