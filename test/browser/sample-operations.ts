import type { KindCounts, Operation, OperationDetail } from '../../src/core/operations/index.ts';
import { exact, UNKNOWN, type Report } from '../../src/core/progress/index.ts';

export const CLUSTER = 'demo';

export function ago(seconds: number): string {
  return new Date(Date.now() - seconds * 1000).toISOString();
}

type Parts = Partial<Omit<Operation, 'report' | 'ref'>> & { report?: Partial<Report> };

/** An operation as the server tells of it, in any state. */
export function operation(kind: 'Backup' | 'Restore', name: string, parts: Parts = {}): Operation {
  const { report, ...rest } = parts;
  return {
    id: `${CLUSTER}.${kind.toLowerCase()}.velero.${name}`,
    cluster: CLUSTER,
    noun: kind === 'Backup' ? 'backup' : 'restore',
    ref: { apiVersion: 'velero.io/v1', kind, namespace: 'velero', name, uid: `uid-${kind}-${name}` },
    phase: 'InProgress',
    report: { state: 'running', measures: [], children: [], ...report },
    createdAt: ago(60),
    facts: {},
    problems: [],
    errors: 0,
    warnings: 0,
    ...rest,
  };
}

export function running(kind: 'Backup' | 'Restore', name: string, done: number, total = 2431): Operation {
  const counts = { created: Math.floor(done * 0.93), updated: 0, skipped: done - Math.floor(done * 0.93), failed: 0 };
  const isRestore = kind === 'Restore';
  return operation(kind, name, {
    facts: isRestore
      ? {
          backup: 'nightly-14',
          namespaceMapping: { orders: 'orders-copy', billing: 'billing-copy', search: 'search-copy' },
        }
      : { location: 'default', schedule: 'nightly' },
    createdAt: ago(4),
    report: {
      percent: Math.min(99, Math.floor((done * 100) / total)),
      measures: [{ unit: 'items', done, total: exact(total) }],
      stage: isRestore ? 'restoring' : 'archiving',
      current: isRestore ? `orders-copy/configmaps/index-${String(done)}` : `shop/secrets/token-${String(done)}`,
      ratePerSecond: 812,
      etaSeconds: Math.max(1, Math.round((total - done) / 812)),
      startedAt: ago(3),
      lastProgressAt: ago(0),
      ...(isRestore ? { counts } : {}),
    },
  });
}

/** Running, but nobody knows how much there is. */
export function unknownTotal(name: string): Operation {
  return operation('Backup', name, {
    report: {
      measures: [{ unit: 'items', done: 1653, total: UNKNOWN }],
      stage: 'listing',
      current: 'payments/pods',
      ratePerSecond: 640,
      startedAt: ago(5),
      lastProgressAt: ago(0),
    },
    facts: { location: 'default' },
  });
}

export function stalled(name: string): Operation {
  return operation('Restore', name, {
    createdAt: ago(300),
    facts: { backup: 'nightly-14' },
    report: {
      percent: 54,
      measures: [{ unit: 'items', done: 1312, total: exact(2431) }],
      counts: { created: 1290, updated: 0, skipped: 10, failed: 12 },
      stage: 'restoring',
      current: 'orders/persistentvolumeclaims/pgdata',
      startedAt: ago(290),
      lastProgressAt: ago(190),
      stalled: {
        sinceSeconds: 190,
        cause: 'location default cannot be reached: connect ECONNREFUSED 10.0.0.7:9000',
        hint: 'kubectl -n velero describe backupstoragelocation default',
      },
    },
  });
}

export function completed(kind: 'Backup' | 'Restore', name: string, secondsAgo = 600, items = 2431): Operation {
  return operation(kind, name, {
    phase: 'Completed',
    createdAt: ago(secondsAgo + 3),
    endedAt: ago(secondsAgo),
    seconds: 3.1,
    facts:
      kind === 'Backup'
        ? { location: 'default', schedule: 'nightly', sizeBytes: 1_258_291, expiresAt: ago(-29 * 86_400) }
        : { backup: 'nightly-14' },
    sentence: `${kind === 'Backup' ? 'Backed up' : 'Restored'} 2 431 items in 3.1 s`,
    report: { state: 'completed', percent: 100, measures: [{ unit: 'items', done: items, total: exact(items) }] },
  });
}

export function partiallyFailed(name: string): Operation {
  return operation('Restore', name, {
    phase: 'PartiallyFailed',
    createdAt: ago(7200),
    endedAt: ago(7190),
    seconds: 3.1,
    errors: 12,
    facts: { backup: 'nightly-14' },
    sentence: 'Restored 2 419 of 2 431 items in 3.1 s; 12 Services failed: port already allocated',
    problems: [
      {
        level: 'error',
        count: 12,
        text: 'could not create Service (12): port already allocated',
        examples: ['could not create Service shop/web: port 30080 already allocated'],
      },
      {
        level: 'warning',
        count: 1,
        text: 'claim shop/cache has no data in the backup',
        examples: ['claim shop/cache'],
      },
    ],
    report: {
      state: 'partiallyFailed',
      percent: 99,
      measures: [{ unit: 'items', done: 2431, total: exact(2431) }],
      counts: { created: 2300, updated: 0, skipped: 119, failed: 12 },
    },
  });
}

const STAGES = {
  Backup: ['discovering', 'listing', 'archiving', 'uploading', 'finalizing'],
  Restore: ['downloading', 'checking', 'collecting', 'restoring', 'finalizing'],
} as const;

/** The same with everything that only its own page asks for. */
export function detailOf(of: Operation): OperationDetail {
  const names = STAGES[of.ref.kind === 'Backup' ? 'Backup' : 'Restore'];
  const last = of.report.stage === undefined ? names.length - 1 : names.indexOf(of.report.stage as never);
  const from = Date.parse(of.report.startedAt ?? of.createdAt);
  const at = (step: number): string => new Date(from + step * 400).toISOString();
  const stages = names.slice(0, last + 1).map((stage, step) => ({
    stage,
    startedAt: at(step),
    ...(step < last || of.endedAt !== undefined ? { endedAt: at(step + 1) } : {}),
  }));
  return {
    ...of,
    stages,
    steps: stages.map(({ stage, ...times }, step) => ({
      number: step + 1,
      name: stage,
      state: 'endedAt' in times ? 'Completed' : 'Running',
      ...times,
      measures: [],
      lines: [],
    })),
    stepsTotal: stages.length,
    itemsByKind: kindsOf(of.report),
    parts: [],
    partCounts: { pending: 0, running: 0, completed: 0, partiallyFailed: 0, failed: 0, canceled: 0, stalled: 0 },
    object: {
      apiVersion: 'velero.io/v1',
      kind: of.ref.kind,
      metadata: { name: of.ref.name, namespace: 'velero' },
      spec: of.ref.kind === 'Backup' ? { storageLocation: 'default', ttl: '720h0m0s' } : { backupName: 'nightly-14' },
      status: { phase: of.phase },
    },
  };
}

/** As far as the report says, kind after kind, so that the numbers of a page agree with each other. */
function kindsOf({ counts = { created: 2431, updated: 0, skipped: 0, failed: 0 } }: Report): KindCounts[] {
  let left = counts.created + counts.skipped + counts.failed;
  const row = (kind: string, total: number, { skipped = 0, failed = 0 } = {}): KindCounts => {
    const done = Math.min(total, left);
    left -= done;
    const some = { skipped: Math.min(skipped, done), failed: Math.min(failed, done) };
    return { kind, total, created: done - some.skipped - some.failed, updated: 0, ...some };
  };
  return [
    row('Service', 200, { failed: counts.failed }),
    row('ConfigMap', 1400, { skipped: counts.skipped }),
    row('Secret', 700),
    row('Deployment', 131),
  ];
}
