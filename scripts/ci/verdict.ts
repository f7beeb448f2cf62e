/** One file of vitest's JSON report. */
interface ReportedFile {
  name: string;
  status: string;
  assertionResults: { fullName: string; status: string }[];
}

/** Of vitest's JSON report, what counts here. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: ReportedFile[];
}

export interface Run {
  report: Report;
  /** The files that ran when something was thrown outside of every test; empty text where that is not known. */
  strays: readonly string[];
  /** Whether vitest itself called it a success. */
  ok: boolean;
}

export interface Verdict {
  passed: number;
  failed: number;
  skipped: number;
  /** What passed in the second run only. */
  onlyAgain: string[];
}

/** More than these did not fail by chance. */
const MAX_AGAIN = 3;

/** The files to run once more, alone: none if there is no failure, or if there are too many. */
export function filesToRunAgain({ report, strays, ok }: Run): string[] {
  const files = [...new Set([...failedFiles(report).map(({ name }) => name), ...strays])];
  // What nobody knows the file of cannot be tried again.
  return ok || files.length > MAX_AGAIN || files.includes('') ? [] : files;
}

/** What failed in the first run and passed, with all of its file, in the second has passed; everything else has not. */
export function verdictOf(first: Run, again?: Run): Verdict {
  const { numPassedTests, numPendingTests: skipped } = first.report;
  const failed = failuresOf(first.report);
  if (again === undefined) return judged({ passed: numPassedTests, failed: failed.length, skipped }, first.ok);
  const stillFailed = failuresOf(again.report).length;
  // It must have run them all: a file that has become empty proves nothing.
  const ran = new Set(again.report.testResults.map(({ name }) => name));
  const isWhole = filesToRunAgain(first).every((name) => ran.has(name)) && again.report.numPassedTests > 0;
  if (!again.ok || stillFailed > 0 || !isWhole) {
    return judged({ passed: numPassedTests, failed: Math.max(1, stillFailed), skipped }, false);
  }
  // A file whose preparation failed had skipped its tests, and has run them now.
  const before = first.report.testResults
    .filter(({ name }) => ran.has(name))
    .flatMap(({ assertionResults }) => assertionResults);
  const passedBefore = before.filter(({ status }) => status === 'passed').length;
  const failedBefore = before.filter(({ status }) => status === 'failed').length;
  return {
    passed: numPassedTests - passedBefore + again.report.numPassedTests,
    failed: 0,
    skipped: skipped - (before.length - passedBefore - failedBefore) + again.report.numPendingTests,
    onlyAgain: [...failed, ...first.strays.map((file) => `${file} (an error outside of its tests)`)],
  };
}

/** An error outside every test, or a run without any, is a failure too. */
function judged(counts: Omit<Verdict, 'onlyAgain'>, ok: boolean): Verdict {
  const isHidden = counts.failed === 0 && (!ok || counts.passed === 0);
  return { ...counts, failed: isHidden ? 1 : counts.failed, onlyAgain: [] };
}

function failedFiles({ testResults }: Report): ReportedFile[] {
  return testResults.filter(({ status }) => status === 'failed');
}

/** A file that could not even be loaded is one. */
function failuresOf(report: Report): string[] {
  return failedFiles(report).flatMap(({ name, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed');
    return failed.length === 0 ? [name] : failed.map(({ fullName }) => `${name} ${fullName}`);
  });
}
