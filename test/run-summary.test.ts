import { describe, expect, it } from 'vitest';
import { summaryOf } from './run-summary.ts';

describe('the summary of a run', () => {
  it('counts the cases on each server, and gives one line to each thing that was skipped', () => {
    const client = 'test/integration/kube-client-watch.test.ts';
    const kubectl = 'test/kubectl/get.test.ts';
    const lines = summaryOf([
      { file: 'test/contract/pocket.test.ts', titles: ['the pocket cluster', 'list', 'pages'], state: 'passed' },
      { file: 'test/contract/pocket.test.ts', titles: ['the pocket cluster', 'list', 'empty'], state: 'failed' },
      { file: client, titles: ['watching on pocket', 'resumes'], state: 'passed' },
      { file: client, titles: ['watching on pocket', 'expires (skipped: no compaction)'], state: 'skipped' },
      { file: client, titles: ['watching on a real API server', 'resumes'], state: 'passed' },
      { file: kubectl, titles: ['kubectl get (skipped: not built)', 'a table'], state: 'skipped' },
      { file: kubectl, titles: ['kubectl get (skipped: not built)', 'wide'], state: 'skipped' },
      { file: kubectl, titles: ['kubectl get', 'by hand'], state: 'skipped' },
    ]);
    expect(lines).toEqual([
      'contract on pocket: 1 passed, 1 failed',
      'client on pocket: 1 passed, 1 skipped',
      'client on the real kube-apiserver: 1 passed',
      'skipped:',
      '    1  expires (skipped: no compaction)',
      '    1  test/kubectl/get.test.ts: no reason is given',
      '    2  kubectl get (skipped: not built)',
    ]);
  });

  it('names what passed only when it was run again', () => {
    const file = 'test/engine/backup.test.ts';
    const lines = summaryOf([{ file, titles: ['a backup', 'ends'], state: 'passed', isFlaky: true }]);
    expect(lines).toEqual(['passed only when run again:', `  ${file} a backup > ends`]);
  });

  it('names the twenty slowest of a run that has more, the slowest first', () => {
    const file = 'test/compat/pocket.test.ts';
    const all = Array.from({ length: 25 }, (_, at) => ({
      ...{ file, titles: [`case ${at}`], state: 'passed' as const },
      ms: 900 + at * 100,
    }));
    const lines = summaryOf(all);
    expect(lines).toHaveLength(21);
    expect(lines.slice(0, 2)).toEqual(['slowest:', `    3.3 s  ${file} case 24`]);
    expect(lines.at(-1)).toBe(`    1.4 s  ${file} case 5`);
    // A visitor with a few files is not told.
    expect(summaryOf(all.slice(0, 20))).toEqual([]);
  });

  it('adds up the cases of a campaign by file', () => {
    const [ini, tar] = ['src/edge/ini.fuzz.test.ts', 'src/edge/tar.fuzz.test.ts'];
    const lines = summaryOf([
      { file: tar, titles: ['ends'], state: 'passed', cases: 20 },
      { file: ini, titles: ['ends'], state: 'passed', cases: 5000 },
      { file: ini, titles: ['is bounded'], state: 'failed', cases: 500 },
      { file: ini, titles: ['knows a past finding'], state: 'passed' },
    ]);
    expect(lines).toEqual(['cases:', `       20  ${tar}`, `     5500  ${ini}`]);
  });

  it('is silent when there is nothing to say', () => {
    expect(summaryOf([{ file: 'src/base/clock.test.ts', titles: ['a clock', 'ticks'], state: 'passed' }])).toEqual([]);
  });
});
