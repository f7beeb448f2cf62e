import { describe, expect, it } from 'vitest';
import type { VolumePluginBackup } from '../../../api/index.ts';
import { answerInstead, judgeNative, SILENT_FAILURE_MS, SILENT_STALL_MS } from './native-plugin.ts';

const HOUR_MS = 3_600_000;

const request = (status: VolumePluginBackup['status'] = {}): VolumePluginBackup =>
  ({
    metadata: { name: 'b-0123456789', creationTimestamp: '2026-01-31T12:00:00Z' },
    spec: { backup: 'b', volume: 'pv-1', plugin: 'example.com/blocks' },
    status,
  }) as VolumePluginBackup;

describe('a plugin that was asked', () => {
  it('is waited for, then stalled, then given up', () => {
    expect(judgeNative(request(), 0, '4h0m0s')).toEqual({ kind: 'waiting' });
    expect(judgeNative(request(), SILENT_STALL_MS - 1, '4h0m0s')).toEqual({ kind: 'waiting' });
    expect(judgeNative(request(), SILENT_STALL_MS, '4h0m0s')).toMatchObject({
      kind: 'stalled',
      cause: 'plugin example.com/blocks has not written a status yet',
    });
    expect(judgeNative(request(), SILENT_FAILURE_MS, '4h0m0s')).toEqual({
      kind: 'silent',
      message: 'plugin example.com/blocks wrote no status within 10 minutes; does it run?',
    });
  });

  it('works as soon as it has said a word, however late', () => {
    const late = 4 * HOUR_MS - 1;
    const working = { kind: 'working', phase: 'InProgress' };
    expect(judgeNative(request({ phase: 'Snapshotting' }), late, '4h0m0s')).toEqual(working);
    expect(judgeNative(request({ phase: 'New' }), late, '4h0m0s')).toEqual({ kind: 'working', phase: 'New' });
  });

  it.each([
    ['1h30m', 1.5 * HOUR_MS, '1h30m0s'],
    ['4h0m0s', 4 * HOUR_MS, '4h0m0s'],
    [undefined, 4 * HOUR_MS, '4h0m0s'],
    ['0s', 4 * HOUR_MS, '4h0m0s'],
    ['-1h', 4 * HOUR_MS, '4h0m0s'],
    ['soon', 4 * HOUR_MS, '4h0m0s'],
  ])('is given up when it has not ended within an itemOperationTimeout of %s', (timeout, limitMs, text) => {
    const dead = request({ phase: 'InProgress' });
    expect(judgeNative(dead, limitMs - 1, timeout)).toEqual({ kind: 'working', phase: 'InProgress' });
    const message = `plugin example.com/blocks has not ended within ${text}`;
    expect(judgeNative(dead, limitMs, timeout)).toEqual({ kind: 'silent', message });
    expect(judgeNative(request({ phase: 'Completed' }), limitMs, timeout)).toMatchObject({ kind: 'ended' });
  });

  it('may not be silent for longer than it may take', () => {
    const message = 'plugin example.com/blocks has not ended within 30s';
    expect(judgeNative(request(), 30_000, '30s')).toEqual({ kind: 'silent', message });
  });

  it('ends when it says so', () => {
    expect(judgeNative(request({ phase: 'Failed', message: 'no room' }), 1, undefined)).toEqual({
      kind: 'ended',
      phase: 'Failed',
      message: 'no room',
    });
    expect(judgeNative(request({ phase: 'Succeeded' }), 1, undefined)).toEqual({ kind: 'ended', phase: 'Completed' });
  });
});

describe('an object that a plugin made by itself', () => {
  const own = (change: Partial<VolumePluginBackup['spec']> = {}, name = 'snap-1', at = '2026-01-31T12:00:05Z') =>
    ({
      metadata: { name, creationTimestamp: at },
      spec: { ...request().spec, ...change },
      status: { phase: 'InProgress', snapshotID: 'snap-1' },
    }) as VolumePluginBackup;

  it('is taken for the one that was asked for', () => {
    expect(answerInstead(request(), [request(), own()])?.metadata.name).toBe('snap-1');
  });

  it.each([
    ['of another volume', own({ volume: 'pv-2' })],
    ['of another backup', own({ backup: 'c' })],
    ['of another plugin', own({ plugin: 'kopia' })],
    ['under another name than its snapshot', own({}, 'something')],
    ['from before it was asked for', own({}, 'snap-1', '2026-01-31T11:59:59Z')],
    ['without a snapshot', { ...own(), status: {} }],
  ])('is left alone: %s', (_, other) => {
    expect(answerInstead(request(), [other])).toBeUndefined();
  });
});
