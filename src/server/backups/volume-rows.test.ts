import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/index.ts';
import { volumeRows } from './volume-rows.ts';

const plugin = (name: string, status: JsonObject) => ({
  metadata: { name, annotations: { 'headway.io/claim': 'shop/data' } },
  spec: { plugin: 'kopia', pluginSpecific: { kopiaSnapshotID: 'k1' } },
  status,
});
const podVolume = (name: string, spec: JsonObject) => ({
  metadata: { name, annotations: { 'velero.io/pvc-name': 'data' } },
  spec: { pod: { namespace: 'shop', name: 'db-0' }, ...spec },
  status: { phase: 'Completed', snapshotID: 's1' },
});

describe('volumes of a backup', () => {
  it('are listed once, ours before those that Velero alone knows', () => {
    const ours = [plugin('a', { phase: 'Completed', progress: { totalBytes: 5 } })];
    const velero = [podVolume('a', { uploaderType: 'kopia' }), podVolume('b', {})];
    expect(volumeRows(ours, velero)).toEqual([
      { id: 'a', claim: 'shop/data', namespace: 'shop', plugin: 'kopia', phase: 'Completed', bytes: 5, snapshot: 'k1' },
      // Velero wrote no uploader when it had restic only.
      { id: 'b', claim: 'shop/data', namespace: 'shop', plugin: 'restic', phase: 'Completed', snapshot: 's1' },
    ]);
  });

  it('have no size and no time that make no sense, and nothing in them steers a terminal', () => {
    const odd = { phase: 'Failed', progress: { totalBytes: -1 }, completionTimestamp: 'soon', message: 'no\u001b[2J' };
    const [row, ...others] = volumeRows([plugin('a', odd), plugin('../a', {}), 7], { not: 'a list' });
    expect(others).toEqual([]);
    expect(row).not.toHaveProperty('bytes');
    expect(row).not.toHaveProperty('completedAt');
    expect(row!.message).not.toContain('\u001b');
    expect(
      volumeRows([plugin('a', { completionTimestamp: '1 Feb 2026 (\u001b[2J)' })], [])[0]!.completedAt,
    ).not.toContain('\u001b');
  });
});
