import { describe, expect, it } from 'vitest';
import type { KubeObject } from '../../edge/kube/index.ts';
import { adapterFor, readOperation, type Operation } from '../../core/operations/index.ts';
import { plainLine, treeLines } from './operation-tree.ts';

const NOW = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => new Date(NOW - seconds * 1000).toISOString();

function operation(kind: 'Backup' | 'Restore', name: string, status: object, spec = {}): Operation {
  const metadata = { name, namespace: 'velero', creationTimestamp: ago(60) };
  const object = { apiVersion: 'velero.io/v1', kind, metadata, spec, status } as unknown as KubeObject;
  return readOperation(adapterFor(kind), object, { cluster: 'c', now: NOW });
}

const stalled = operation('Restore', 'orders-copy', {
  phase: 'InProgress',
  startTimestamp: ago(400),
  progress: { percent: 54, itemsRestored: 54, totalItems: 100, stage: 'restoring', lastProgressTime: ago(180) },
  conditions: [{ type: 'Stalled', status: 'True', message: 'the API server does not answer; look at its pods' }],
});
const running = operation('Backup', 'shop-data', {
  phase: 'InProgress',
  startTimestamp: ago(30),
  progress: {
    percent: 43,
    itemsBackedUp: 1653,
    totalItems: 2431,
    bytesDone: 2_040_109_465,
    totalBytes: 4_724_464_025,
    stage: 'archiving',
    current: 'shop/configmaps/index-118',
    ratePerSecond: 92_274_688,
    etaSeconds: 29,
    lastProgressTime: ago(1),
  },
});
const counting = operation('Backup', 'unknown-total', {
  phase: 'InProgress',
  progress: { itemsBackedUp: 12, stage: 'listing', ratePerSecond: 0.4, lastProgressTime: ago(14) },
});
const queued = operation('Backup', 'later', { phase: 'Queued', queuePosition: 2 });
const done = operation('Backup', 'shop-initial', {
  phase: 'Completed',
  startTimestamp: ago(50),
  completionTimestamp: ago(47),
  progress: { percent: 100, itemsBackedUp: 41, totalItems: 41 },
});
const partial = operation('Restore', 'half', {
  phase: 'PartiallyFailed',
  startTimestamp: ago(50),
  completionTimestamp: ago(48),
  errors: 12,
  progress: { percent: 99, itemsRestored: 100, totalItems: 100, created: 80, updated: 0, skipped: 8, failed: 12 },
});
const all = [done, queued, running, counting, partial, stalled];

describe('treeLines', () => {
  it('keeps name, state and percent where there is little room', () => {
    const lines = treeLines([partial, running], { columns: 40, now: NOW }).filter((line) => !line.includes('│'));
    expect(lines).toEqual([
      'NAME           STATE              DONE',
      '● backup/sho…  running            43 %',
      '▲ restore/ha…  partially failed   99 %',
    ]);
  });

  it('puts the stalled first, with cause and hint, at 120 columns', () => {
    expect(treeLines(all, { columns: 120, now: NOW })).toMatchInlineSnapshot(`
      [
        "NAME                    STATE             PROGRESS                               RATE        LEFT",
        "▲ restore/orders-copy   stalled           ███████░░░░░░░  54 %  54 of 100        –           –",
        "  │ 3 min without progress: the API server does not answer",
        "  │ try: look at its pods",
        "● backup/shop-data      running           ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s",
        "  │ 30 s elapsed · archiving · shop/configmaps/index-118",
        "● backup/unknown-total  running           ╱╱╱╱╱╱╱╱╱╱╱╱╱╱        12 items         0.4/s       –",
        "  │ listing · no change for 14 s",
        "○ backup/later          pending           –                     –                –           –",
        "  │ number 2 in the queue",
        "✓ backup/shop-initial   completed         ██████████████ 100 %  41 items         –           –",
        "▲ restore/half          partially failed  ██████████▒✕✕░  99 %  100 items        –           –",
      ]
    `);
  });

  it('keeps its layout when a name is long, and the end of the name that tells it from others', () => {
    const long = { ...running, ref: { ...running.ref, name: 'nightly-of-every-namespace-of-the-shop-20261117031500' } };
    expect(treeLines([long, done], { columns: 100, now: NOW })).toMatchInlineSnapshot(`
      [
        "NAME                             STATE      PROGRESS                               RATE        LEFT",
        "● backup/nightly-of-…1117031500  running    ██████░░░░░░░░  43 %  1.9 of ~4.4 GiB  88.0 MiB/s  29 s",
        "  │ 30 s elapsed · archiving · shop/configmaps/index-118",
        "✓ backup/shop-initial            completed  ██████████████ 100 %  41 items         –           –",
      ]
    `);
  });

  it('fits into 80 columns', () => {
    const lines = treeLines(all, { columns: 80, now: NOW });
    expect(lines).toMatchInlineSnapshot(`
      [
        "NAME                STATE              DONE                    RATE        LEFT",
        "▲ restore/orders-…  stalled            54 %   54 of 100        –           –",
        "  │ 3 min without progress: the API server does not answer",
        "  │ try: look at its pods",
        "● backup/shop-data  running            43 %   1.9 of ~4.4 GiB  88.0 MiB/s  29 s",
        "  │ 30 s elapsed · archiving · shop/configmaps/index-118",
        "● backup/unknown-…  running           –       12 items         0.4/s       –",
        "  │ listing · no change for 14 s",
        "○ backup/later      pending           –       –                –           –",
        "  │ number 2 in the queue",
        "✓ backup/shop-ini…  completed         100 %   41 items         –           –",
        "▲ restore/half      partially failed   99 %   100 items        –           –",
      ]
    `);
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(80);
  });

  it('indents the parts of an operation below it', () => {
    const part = (name: string): Operation => ({
      ...running,
      id: name,
      ref: { ...running.ref, name },
      parent: 'whole',
    });
    const whole = { ...running, id: 'whole', ref: { ...running.ref, name: 'whole' } };
    const deep = { ...part('deep'), parent: 'b' };
    const lines = treeLines([deep, part('b'), part('a'), whole], { columns: 120, now: NOW });
    expect(lines.map((line) => line.slice(0, 20).trimEnd())).toMatchInlineSnapshot(`
      [
        "NAME",
        "● backup/whole",
        "  │ 30 s elapsed · a",
        "  ├ ● backup/a",
        "  └ ● backup/b",
        "      └ ● backup/dee",
      ]
    `);
  });

  it('shows nothing of nothing', () => {
    expect(treeLines([], { columns: 80, now: NOW })).toEqual([]);
  });
});

describe('plainLine', () => {
  it.each([
    [
      stalled,
      '▲ restore/orders-copy  stalled  54 %  54 of 100  3 min without progress: the API server does not answer  try: look at its pods',
    ],
    [
      running,
      '● backup/shop-data  running  43 %  1 653 of ~2 431, 1.9 of ~4.4 GiB  88.0 MiB/s  29 s left  archiving · shop/configmaps/index-118',
    ],
    [counting, '● backup/unknown-total  running  12 items  0.4/s  listing · no change for 14 s'],
    [queued, '○ backup/later  pending  number 2 in the queue'],
    [done, '✓ backup/shop-initial  completed  100 %  41 items  Backed up 41 items in 3.0 s'],
    [
      partial,
      '▲ restore/half  partially failed  99 %  100 items  Restored 80 of 100 items in 2.0 s; 8 skipped; 12 items failed',
    ],
  ])('%#', (each, line) => {
    expect(plainLine(each, NOW)).toBe(line);
  });
});
