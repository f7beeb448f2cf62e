import { describe, expect, it } from 'vitest';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { AppError } from '../../base/index.ts';
import { ClusterRegistry, type NamedPlane } from './cluster-registry.ts';

const healthy = (name: string): NamedPlane => ({
  name,
  plane: {
    ready: Promise.resolve(),
    run: (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          resolve();
        });
      }),
  },
});
const broken = (name: string): NamedPlane => ({
  name,
  plane: {
    ready: new Promise(() => undefined),
    run: () => Promise.reject(new AppError('invalidConfig', `${name} has other CRDs`)),
  },
});

describe('several clusters', () => {
  it('are served also when one of them cannot be, and it is said why', async () => {
    const log = recordingLog();
    const registry = new ClusterRegistry([healthy('a'), broken('b')], log);
    const stop = new AbortController();
    let isOver = false;
    const running = registry.run(stop.signal).then(() => {
      isOver = true;
    });
    await registry.ready;
    expect([registry.problemOf('a'), registry.problemOf('b'), isOver]).toEqual([undefined, 'b has other CRDs', false]);
    expect(log.lines).toMatchObject([{ level: 'error', fields: { cluster: 'b', err: 'b has other CRDs' } }]);
    stop.abort();
    await running;
  });

  it('end the server when none of them can be served', async () => {
    const registry = new ClusterRegistry([broken('a'), broken('b')], recordingLog());
    await expect(registry.run(new AbortController().signal)).rejects.toThrow('a has other CRDs');
  });
});

it('ends the server with its only cluster', async () => {
  const log = recordingLog();
  const registry = new ClusterRegistry([broken('a')], log);
  await expect(registry.run(new AbortController().signal)).rejects.toThrow('a has other CRDs');
  expect(log.lines).toEqual([]);
});
