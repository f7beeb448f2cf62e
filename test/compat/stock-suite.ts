import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { needsBed } from '../bed/index.ts';
import { servedPocket, type ServedCluster } from '../served-cluster.ts';
import { OWN_CASES, stockEnvironment, SUITE } from './stock-cli.ts';

export interface StockSuite {
  target: string;
  start: () => Promise<ServedCluster>;
  /** Folders of cases. */
  cases: readonly string[];
  /** Lines of the comparison that are right there, with the reason. */
  differs: Readonly<Record<string, string>>;
  /** Every second case, from the first or from the second on: two files share the minutes. */
  half?: 0 | 1;
}

const GIVEN_CASES = join(SUITE, 'cases');
const CASE_MS = 240_000;
/** Most of a case is waiting; on two clusters they wait at the same time. */
const CLUSTERS = 2;
/** Its cases on every target in CI; our own on pocket, and on the bed in the campaign, because of the time. */
const ALL_CASES: readonly string[] = [GIVEN_CASES, OWN_CASES];
export const CASES_ON_THE_BED: readonly string[] = process.env['HEADWAY_CAMPAIGN'] ? ALL_CASES : [GIVEN_CASES];

/** The stock `velero` drives us; what came out is compared with what real Velero 1.18.3 gave. */
export function stockSuite({ target, start, cases, differs, half }: StockSuite): void {
  const chosen = cases.flatMap(casesIn).filter((_, index) => half === undefined || index % 2 === half);
  const need = needsBed({ clusters: 1, s3: true, velero: true });
  const title = need.title(`the stock velero CLI drives Headway on ${target}`);
  vi.setConfig({ maxConcurrency: CLUSTERS });
  describe.skipIf(need.missing)(title, { timeout: CASE_MS }, () => {
    const clusters: ServedCluster[] = [];
    /** Those on which no case is at work: each has one to itself. */
    const free: ServedCluster[] = [];
    beforeAll(async () => {
      const begun = async (): Promise<void> => {
        const cluster = await start();
        clusters.push(cluster);
        await cluster.serve();
        free.push(cluster);
      };
      await Promise.all(Array.from({ length: CLUSTERS }, begun));
    }, 180_000);
    afterAll(async () => {
      await Promise.all(clusters.map((cluster) => cluster[Symbol.asyncDispose]()));
    });

    it.concurrent.each(chosen)('%s', async (file, folder) => {
      const cluster = free.shift()!;
      try {
        const env = stockEnvironment(cluster.kubeconfig, cluster.home.path);
        const said = await outputOf([join(SUITE, 'compat.mjs'), '--cases', folder, '--only', file], env);
        const problems = said.split('\n').filter((line) => line.startsWith('  '));
        expect(problems.filter((line) => differs[line.trim()] === undefined)).toEqual([]);
        expect(said).toContain(file);
      } finally {
        free.push(cluster);
      }
    });
  });
}

function casesIn(folder: string): [file: string, folder: string][] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.mjs'));
  return files.map((file) => [file, folder]);
}

/** What it printed, also when it ended with a failure: its lines are the result. */
async function outputOf(args: string[], env: Record<string, string>): Promise<string> {
  return await new Promise((resolve) => {
    execFile(process.execPath, args, { env, timeout: CASE_MS - 10_000 }, (_error, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}

/** On pocket, one of the two halves of all cases. */
export function pocketSuite(half: 0 | 1): void {
  stockSuite({
    target: 'pocket',
    start: servedPocket,
    cases: ALL_CASES,
    half,
    differs: {
      'locations: expected true, got false': 'its location is a directory, and the stock CLI says so',
      'a2.0.3.2: expected 31143, got true': 'without managedFields a port that was created is not known to be chosen',
    },
  });
}
