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

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'web/**/*.test.{ts,tsx}', 'test/**/*.test.ts'],
    exclude: ['**/node_modules/**', ...(withLong ? [] : LONG)],
    reporters: ['default', new RunSummary(withLong ? [] : LONG), ...json],
    setupFiles: ['test/seed.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Real servers on a busy machine: one second chance in CI, and the summary names every test that took it.
    retry: process.env['CI'] ? 1 : 0,
    restoreMocks: true,
    coverage: {
      // Where everything else stands on, nothing is left untried (npm run coverage).
      include: ['src/base/**', 'src/core/progress/**'],
      reporter: ['text'],
      reportsDirectory: '.cache/coverage',
      thresholds: { 'src/base/**': { 100: true }, 'src/core/progress/**': { 100: true } },
    },
  },
});
