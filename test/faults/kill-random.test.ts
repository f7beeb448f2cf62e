import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { eventually } from '../eventually.ts';
import type { Running } from '../headway-process.ts';
import { FaultCluster } from './fault-cluster.ts';
import { expectNothingLeft, expectWholeBackup, expectWholeRestore } from './outcome.ts';
import { createSample, uidsIn } from './sample-application.ts';
import { IS_CAMPAIGN, SEED, seededRandom } from './seeded-random.ts';
import { StatusRecord } from './status-record.ts';

const ROUNDS = IS_CAMPAIGN ? 20 : 5;
/** What a backup and a restore of the sample ask for together, roughly. */
const REQUESTS = 600;
const LATE_MS = 60;

describe(`a server killed at any moment (HEADWAY_SEED=${SEED})`, () => {
  let cluster: FaultCluster;
  let server: Running;
  let items: Set<string>;

  beforeAll(async () => {
    cluster = await FaultCluster.start({ cluster: 'pocket', store: 'fs' });
    items = await createSample(cluster.kube, 'app', { configMaps: 520, secrets: 20, blobs: 1 });
    server = await cluster.served();
    await using backup = await StatusRecord.of(cluster.kube, Backup, {
      name: 'base',
      spec: { includedNamespaces: ['app'] },
    });
    expect((await backup.ended()).object['status']).toMatchObject({ phase: 'Completed' });
  }, 120_000);

  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });

  const random = seededRandom(SEED);
  // More often early than late: most of the requests are the restore's items, one like the other.
  const rounds = Array.from({ length: ROUNDS }, (_, round) => ({
    round,
    nth: Math.ceil(random() ** 1.5 * REQUESTS),
  }));

  it.each(rounds)(
    'round $round, after $nth requests: backup and restore end, once and whole',
    { timeout: 90_000 },
    async ({ round, nth }) => {
      const namespace = `copy-${round}`;
      cluster.api.rule(() => ({ kind: 'late', ms: LATE_MS }));
      const from = cluster.api.requests;
      await using backup = await StatusRecord.of(cluster.kube, Backup, {
        name: `b-${round}`,
        spec: { includedNamespaces: ['app'] },
      });
      await using restore = await StatusRecord.of(cluster.kube, Restore, {
        name: `r-${round}`,
        spec: { backupName: 'base', namespaceMapping: { app: namespace } },
      });
      await eventually(
        () => {
          if (cluster.api.requests < from + nth) throw new Error(`only ${cluster.api.requests - from} requests`);
        },
        { withinMs: 60_000 },
      );
      await cluster.kill(server);
      cluster.api.clear();
      const before = await uidsIn(cluster.kube, namespace);
      server = await cluster.served();
      const ends = { backup: await backup.ended(), restore: await restore.ended() };
      backup.expectPercentNeverFalls();
      restore.expectPercentNeverFalls();
      await expectWholeBackup(cluster.store, `b-${round}`, ends.backup, items);
      await expectWholeRestore(cluster.kube, ends.restore, { namespace, items, before });
      await expectNothingLeft(cluster.kube, cluster.store);
      // Not what is on the server's own disk: killed between the last status and the removal of its log, it leaves that.
    },
  );
});
