import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { RunSummary } from './test/run-summary.ts';

/** Where `.ci/run` wants the results as JSON. */
const report = process.env['HEADWAY_TEST_REPORT'];
const json: ['json', { outputFile: string }][] = report ? [['json', { outputFile: report }]] : [];

/** Minutes of kills, outages and pictures: CI runs them, and whoever asks for them. */
const LONG = [
  'test/faults/**',
  'test/compat/**',
  'test/interop/**',
  'test/browser/{looks,real-server}.test.ts',
  'test/cli/end-to-end.test.ts',
];
const withLong = Boolean(process.env['CI'] ?? process.env['HEADWAY_LONG'] ?? process.env['HEADWAY_CAMPAIGN']);

/** What drives the programs of the bed, of the machine or a browser. */
const REAL = [
  'test/{action,bed,browser,compat,faults,functions,integration,interop,kubectl,operations,volumes}/**/*.test.ts',
  'test/contract/real{,-pods}.test.ts',
  'test/contract/pocket{,-user,-plain}-pods.test.ts',
  'test/pocket/{pod-leaks,pods-go-on,sandbox-choice}.test.ts',
  'test/pocket/controllers/kubectl.test.ts',
  'test/server/rights.test.ts',
  'test/cli/end-to-end.test.ts',
];
/** What measures time or memory, and would measure its neighbours. */
const MEASURED = [
  'test/{archive,watchdog}/**/*.test.ts',
  'test/pocket/hostile-pods.test.ts',
  'test/engine/{frozen-pods,hostile-backup,restore-hostile-rules}.test.ts',
  'test/integration/{memory,kube-client-load}.test.ts',
  'test/server/{heavy-work,hostile-files,many-pages,many-streams}.test.ts',
];
const left = ['**/node_modules/**', ...(withLong ? [] : LONG)];

// They guard against hanging only: two cores may be busy with many servers.
const shared = { setupFiles: ['test/seed.ts'], testTimeout: 60_000, hookTimeout: 120_000, restoreMocks: true };
// Most of the time is spent waiting for servers.
const maxWorkers = Math.max(2, availableParallelism() - 1);
// They are many on two cores: one second chance in CI, and the summary names every test that took it.
const retry = process.env['CI'] ? 1 : 0;

export default defineConfig({
  test: {
    // Groups run one after the other.
    projects: [
      // What stands beside its source shares nothing, so that its files may share a process: twice as fast.
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['{src,scripts}/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          isolate: false,
          maxWorkers,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'black box',
          include: ['test/**/*.test.ts'],
          exclude: [...left, ...REAL, ...MEASURED],
          maxWorkers,
          retry,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...shared,
          name: 'real programs',
          include: REAL,
          exclude: [...left, ...MEASURED],
          maxWorkers,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          ...shared,
          name: 'measured',
          include: MEASURED,
          exclude: left,
          maxWorkers: 1,
          retry,
          sequence: { groupOrder: 3 },
        },
      },
    ],
    reporters: ['default', new RunSummary(withLong ? [] : LONG, report), ...json],
    coverage: {
      // Where everything else stands on, nothing is left untried (npm run coverage).
      include: ['src/base/**', 'src/core/progress/**'],
      reporter: ['text'],
      reportsDirectory: '.cache/coverage',
      thresholds: { 'src/base/**': { 100: true }, 'src/core/progress/**': { 100: true } },
    },
  },
});
