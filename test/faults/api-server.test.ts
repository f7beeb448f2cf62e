import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore } from '../../src/api/index.ts';
import { needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { FaultCluster } from './fault-cluster.ts';
import { expectNothingLeft, expectWholeBackup, expectWholeRestore } from './outcome.ts';
import { createSample } from './sample-application.ts';
import { IS_CAMPAIGN, SEED, seededRandom } from './seeded-random.ts';
import { StatusRecord } from './status-record.ts';

const LATE_MS = 60;
const SHARE = 0.08;

function statusBody(code: number, reason: string): string {
  const message = `the line says ${reason}`;
  return JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code });
}

const bed = needsBed({ clusters: 1, s3: true });
const PLACES = [
  { where: 'pocket', options: { cluster: 'pocket', store: 'fs' }, isMissing: false },
  { where: bed.title('the bed'), options: { cluster: 'bed', store: 's3' }, isMissing: bed.missing },
] as const;
for (const { where, options, isMissing } of PLACES)
  describe.skipIf(isMissing)(`an API server in trouble, ${where}`, () => {
    let cluster: FaultCluster;
    let items: Set<string>;

    beforeAll(async () => {
      cluster = await FaultCluster.start(options);
      items = await createSample(cluster.kube, 'app', { configMaps: 520, secrets: 20, blobs: 0 });
      await cluster.served();
      await using backup = await StatusRecord.of(cluster.kube, Backup, {
        name: 'base',
        spec: { includedNamespaces: ['app'] },
      });
      expect((await backup.ended()).object['status']).toMatchObject({ phase: 'Completed' });
    }, 180_000);

    afterEach(() => {
      cluster.api.clear();
    });

    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });

    /** A backup and a restore under way together, with something happening to them. */
    async function troubled(name: string, trouble: (from: number) => Promise<void>): Promise<void> {
      const from = cluster.api.requests;
      await using backup = await StatusRecord.of(cluster.kube, Backup, { name, spec: { includedNamespaces: ['app'] } });
      await using restore = await StatusRecord.of(cluster.kube, Restore, {
        name,
        spec: { backupName: 'base', namespaceMapping: { app: name } },
      });
      await trouble(from);
      const ends = { backup: await backup.ended(90_000), restore: await restore.ended(90_000) };
      backup.expectPercentNeverFalls();
      restore.expectPercentNeverFalls();
      await expectWholeBackup(cluster.store, name, ends.backup, items);
      await expectWholeRestore(cluster.kube, ends.restore, { namespace: name, items });
      await expectNothingLeft(cluster.kube, cluster.store);
    }

    it('that is killed and comes back costs nothing but time', { timeout: 120_000 }, async () => {
      cluster.api.rule(() => ({ kind: 'late', ms: LATE_MS }));
      await troubled('restarted', async (from) => {
        await eventually(
          () => {
            if (cluster.api.requests < from + 150) throw new Error(`only ${cluster.api.requests - from} requests`);
          },
          { withinMs: 30_000 },
        );
        await cluster.restartApi();
        cluster.api.clear();
      });
    });

    const isLeftToCampaign = options.cluster === 'bed' && !IS_CAMPAIGN;
    const why = isLeftToCampaign ? ' (skipped: on the bed it takes minutes, and npm run campaign does it)' : '';
    it.skipIf(isLeftToCampaign)(
      `that answers 429 and 500 to one in ${Math.round(1 / SHARE)} requests is asked again (HEADWAY_SEED=${SEED})${why}`,
      { timeout: 120_000 },
      async () => {
        const random = seededRandom(SEED);
        let refused = 0;
        cluster.api.rule(({ path }) => {
          // Leadership is not what is tried here; without renewals for 10 s another one may lead.
          if (path.includes('/leases') || random() >= SHARE) return undefined;
          refused += 1;
          if (random() < 0.5) {
            return {
              kind: 'answer',
              status: 429,
              headers: { 'retry-after': '1' },
              body: statusBody(429, 'TooManyRequests'),
            };
          }
          return { kind: 'answer', status: 500, body: statusBody(500, 'InternalError') };
        });
        await troubled('refused', async () => {
          await eventually(
            () => {
              if (refused < 5) throw new Error(`only ${refused} were refused`);
            },
            { withinMs: 30_000 },
          );
        });
      },
    );
  });
