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

const shared = {
  setupFiles: ['test/seed.ts'],
  testTimeout: 20_000,
  hookTimeout: 60_000,
  restoreMocks: true,
  // Real servers on a busy machine: one second chance in CI, and the summary names every test that took it.
  retry: process.env['CI'] ? 1 : 0,
};

export default defineConfig({
  test: {
    projects: [
      // What stands beside its source shares nothing, so that its files may share a process: twice as fast.
      {
        test: {
          ...shared,
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.{ts,tsx}'],
          isolate: false,
        },
      },
      {
        test: {
          ...shared,
          name: 'black box',
          include: ['test/**/*.test.ts'],
          exclude: ['**/node_modules/**', ...(withLong ? [] : LONG)],
        },
      },
    ],
    // Most of the time is spent waiting for servers. CI has the big ones and goes one by one.
    maxWorkers: process.env['CI'] ? 1 : Math.max(2, availableParallelism() - 1),
    reporters: ['default', new RunSummary(withLong ? [] : LONG), ...json],
    coverage: {
      // Where everything else stands on, nothing is left untried (npm run coverage).
      include: ['src/base/**', 'src/core/progress/**'],
      reporter: ['text'],
      reportsDirectory: '.cache/coverage',
      thresholds: { 'src/base/**': { 100: true }, 'src/core/progress/**': { 100: true } },
    },
  },
});
