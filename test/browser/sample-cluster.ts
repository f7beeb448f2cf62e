import { completed, operation, partiallyFailed, running, stalled, unknownTotal } from './sample-operations.ts';
import type { ScriptedPageServer } from './scripted-page-server.ts';

export const RESTORE_ID = 'demo.restore.velero.orders-copy';
export const BACKUP_ID = 'demo.backup.velero.nightly-14';
export const STALLED_ID = 'demo.restore.velero.orders';
export const FAILED_ID = 'demo.restore.velero.test';

/** One of everything that can happen. */
export function fillSample(server: ScriptedPageServer): void {
  server.put(
    running('Restore', 'orders-copy', 1653),
    unknownTotal('nightly-16'),
    stalled('orders'),
    operation('Backup', 'weekly-3', { report: { state: 'pending' }, phase: 'Queued', facts: { queuePosition: 1 } }),
    completed('Backup', 'nightly-14'),
    completed('Backup', 'nightly-13', 87_000),
    completed('Restore', 'billing-copy', 3600),
    partiallyFailed('test'),
    operation('Backup', 'adhoc', {
      phase: 'Failed',
      endedAt: new Date().toISOString(),
      seconds: 12,
      sentence: 'Failed after 12 s: location default cannot be reached',
      report: { state: 'failed', percent: 31 },
      facts: { location: 'default' },
    }),
    operation('Backup', 'stopped', {
      phase: 'Failed',
      endedAt: new Date().toISOString(),
      report: { state: 'canceled', percent: 12 },
    }),
  );
}
