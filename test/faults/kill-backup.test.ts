import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { FaultCluster } from './fault-cluster.ts';
import type { Passing } from './fault-line.ts';
import { expectNothingLeft, expectWholeBackup } from './outcome.ts';
import { createSample } from './sample-application.ts';
import { StatusRecord } from './status-record.ts';

interface Moment {
  line: 'api' | 's3';
  matches: (passing: Passing) => boolean;
  where: 'before' | 'after';
  /** What status must tell before the kill, so that it could fall. */
  percent?: number;
}

const isPage = ({ method, path }: Passing): boolean => method === 'GET' && /\/configmaps\?.*limit=/.test(path);
const isPut = (ending: string) => (passing: Passing) =>
  passing.method === 'PUT' && new URL(passing.path, 'http://s3').pathname.endsWith(ending);

/** What is under way in each stage, so that it can be stopped there for as long as a kill takes. */
const STAGES: [string, Moment][] = [
  ['discovering', { line: 'api', where: 'before', matches: ({ path }) => /^\/apis?(\?|$)/.test(path) }],
  ['listing', { line: 'api', where: 'before', matches: (one) => isPage(one) && !one.path.includes('continue=') }],
  [
    'archiving',
    // Pages are small where items are large, as the first of these are: little is archived before the second page.
    { line: 'api', where: 'before', matches: (one) => isPage(one) && one.path.includes('continue='), percent: 5 },
  ],
  ['uploading', { line: 's3', where: 'before', matches: ({ path }) => path.includes('partNumber=2'), percent: 50 }],
  ['finalizing', { line: 's3', where: 'before', matches: isPut('-logs.gz'), percent: 90 }],
  // Whole in the store, and nobody has heard of it.
  ['finalizing', { line: 's3', where: 'after', matches: isPut('/velero-backup.json'), percent: 90 }],
];

const need = needsBed({ clusters: 0, s3: true });
describe.skipIf(need.missing)(need.title('a server killed in the middle of a backup'), () => {
  let cluster: FaultCluster;
  let server: Running;
  let items: Set<string>;

  beforeAll(async () => {
    cluster = await FaultCluster.start({ cluster: 'pocket', store: 's3' });
    items = await createSample(cluster.kube, 'app', { configMaps: 520, secrets: 10, blobs: 7 });
    server = await cluster.served();
  }, 120_000);

  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  it.each(STAGES.map(([stage, moment], index) => ({ stage, moment, index })))(
    'at $stage ($moment.line, $moment.where): the next one ends it, and nothing is there twice',
    { timeout: 90_000 },
    async ({ stage, moment, index }) => {
      const name = `kill-${index}`;
      const held = cluster[moment.line]!.holds(moment.matches, moment.where);
      await using record = await StatusRecord.of(cluster.kube, Backup, {
        name,
        spec: { includedNamespaces: ['app'] },
      });
      await held;
      await record.atStage(stage, moment.percent);
      await cluster.kill(server);
      cluster[moment.line]!.clear();
      expect(record.last?.phase).not.toBe('Completed');
      server = await cluster.served();
      const end = await record.ended();
      record.expectPercentNeverFalls();
      await expectWholeBackup(cluster.store, name, end, items);
      await expectNothingLeft(cluster.kube, cluster.store);
      await eventually(() => {
        expect(cluster.spooled()).toEqual([]);
      });
    },
  );
});
