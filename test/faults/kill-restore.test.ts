import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { FaultCluster } from './fault-cluster.ts';
import type { Passing } from './fault-line.ts';
import { expectNothingLeft, expectWholeRestore } from './outcome.ts';
import { createSample, uidsIn } from './sample-application.ts';
import { StatusRecord } from './status-record.ts';

interface Moment {
  line: 'api' | 's3';
  matches: (passing: Passing) => boolean;
  where: 'before' | 'middle' | 'after';
  nth?: number;
  /** What status must tell before the kill, so that it could fall. */
  percent?: number;
}

const isArchive = ({ method, path }: Passing): boolean => method === 'GET' && path.split('?')[0]!.endsWith('.tar.gz');
const isCreate = ({ method, path }: Passing): boolean => method === 'POST' && /\/copy-\d+\/configmaps/.test(path);
const isResult = ({ method, path }: Passing): boolean => method === 'PUT' && path.includes('/restores/');
/** What the built-in actions can be told by ConfigMaps; the first thing that is asked for after collecting. */
const isSetting = ({ method, path }: Passing): boolean =>
  method === 'GET' && /\/namespaces\/velero\/configmaps\?/.test(path);

/** What is under way in each stage, so that it can be stopped there for as long as a kill takes. */
const STAGES: [string, Moment][] = [
  ['downloading', { line: 's3', where: 'middle', matches: isArchive }],
  ['collecting', { line: 'api', where: 'before', matches: isSetting }],
  ['restoring', { line: 'api', where: 'before', matches: isCreate, nth: 120, percent: 20 }],
  // In the cluster, and nobody has heard of it.
  ['restoring', { line: 'api', where: 'after', matches: isCreate, nth: 120, percent: 20 }],
  ['finalizing', { line: 's3', where: 'before', matches: isResult, percent: 90 }],
  ['finalizing', { line: 's3', where: 'after', matches: isResult, nth: 6, percent: 90 }],
];

const need = needsBed({ clusters: 0, s3: true });
describe.skipIf(need.missing)(need.title('a server killed in the middle of a restore'), () => {
  let cluster: FaultCluster;
  let server: Running;
  let items: Set<string>;

  beforeAll(async () => {
    cluster = await FaultCluster.start({ cluster: 'pocket', store: 's3' });
    items = await createSample(cluster.kube, 'app', { configMaps: 250, secrets: 20, blobs: 2 });
    server = await cluster.served();
    await using backup = await StatusRecord.of(cluster.kube, Backup, {
      name: 'b',
      spec: { includedNamespaces: ['app'] },
    });
    expect((await backup.ended()).object['status']).toMatchObject({ phase: 'Completed' });
  }, 120_000);

  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  async function killed(index: number, moment: (record: StatusRecord) => Promise<void>): Promise<void> {
    const namespace = `copy-${index}`;
    const spec = { backupName: 'b', namespaceMapping: { app: namespace } };
    await using record = await StatusRecord.of(cluster.kube, Restore, { name: `kill-${index}`, spec });
    await moment(record);
    await cluster.kill(server);
    const before = await uidsIn(cluster.kube, namespace);
    cluster.api.clear();
    cluster.s3!.clear();
    expect(record.last?.phase).not.toBe('Completed');
    server = await cluster.served();
    const end = await record.ended();
    record.expectPercentNeverFalls();
    await expectWholeRestore(cluster.kube, end, { namespace, items, before });
    await expectNothingLeft(cluster.kube, cluster.store);
    await eventually(() => {
      expect(cluster.spooled()).toEqual([]);
    });
  }

  it.each(STAGES.map(([stage, moment], index) => ({ stage, moment, index })))(
    'at $stage ($moment.line, $moment.where): the next one ends it, and nothing is made twice',
    { timeout: 90_000 },
    async ({ stage, moment, index }) => {
      const held = cluster[moment.line]!.holds(moment.matches, moment.where, moment.nth);
      await killed(index, async (record) => {
        await held;
        await record.atStage(stage, moment.percent);
      });
    },
  );

  it('at checking, when the last byte has come: the same', { timeout: 90_000 }, async () => {
    const whole = cluster.s3!.passes(isArchive);
    await killed(STAGES.length, async () => {
      await whole;
    });
  });
});
