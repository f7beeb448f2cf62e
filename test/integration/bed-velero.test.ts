import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { listening } from '../bed/listening.ts';
import { isAlive, markedProcesses } from '../bed/processes.ts';
import { scratch, type Scratch } from '../bed/scratch.ts';
import { readState } from '../bed/state.ts';
import { eventually } from '../eventually.ts';

const need = needsBed({ clusters: 2, velero: true });
const START_MS = 180_000;

describe.skipIf(need.missing)(need.title('Velero in a bed'), { timeout: 120_000 }, () => {
  let place: Scratch;
  let b: Bed;
  const on = async (program: 'kubectl' | 'velero', cluster: number, ...args: string[]) =>
    await run(b.bin(program), { args: ['--kubeconfig', b.clusters[cluster]!.kubeconfig, ...args] });

  beforeAll(async () => {
    place = scratch();
    vi.stubEnv('HEADWAY_BED_HOME', place.directory);
    b = await bed({ clusters: 2, velero: true });
  }, START_MS);
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
    expect(markedProcesses(b.directory)).toEqual([]);
    place[Symbol.dispose]();
    vi.unstubAllEnvs();
  });

  it('carries a namespace from one cluster to the other through the bucket', async () => {
    await on('kubectl', 0, 'create', 'namespace', 'shop');
    await on('kubectl', 0, '-n', 'shop', 'create', 'configmap', 'settings', '--from-literal=color=blue');
    const backup = await on('velero', 0, 'backup', 'create', 'one', '--include-namespaces', 'shop', '--wait');
    expect(backup).toContain('Backup completed with status: Completed');
    const stored = readdirSync(join(b.s3!.directory, b.s3!.bucket, 'backups', 'one'));
    expect(stored).toContain('velero-backup.json');

    // A restart looks for backups in the bucket at once, in place of a minute later.
    await b.velero[1]!.start();
    await eventually(async () => await on('velero', 1, 'backup', 'get', 'one'), { withinMs: 60_000 });
    const restore = await on('velero', 1, 'restore', 'create', 'two', '--from-backup', 'one', '--wait');
    expect(restore).toContain('Restore completed with status: Completed');
    const settings = await on(
      'kubectl',
      1,
      '-n',
      'shop',
      'get',
      'configmap',
      'settings',
      '-o',
      'jsonpath={.data.color}',
    );
    expect(settings).toBe('blue');
  });

  it('listens on loopback only', () => {
    const servers = readState(b.directory)!.processes.filter(({ name }) => name.endsWith('-velero'));
    const { count, beyondLoopback } = listening(servers.map(({ pid }) => pid));
    expect(count).toBeGreaterThanOrEqual(2);
    expect(beyondLoopback).toEqual([]);
  });

  it('stops when told to', async () => {
    const server = readState(b.directory)!.processes.find(({ name }) => name === 'bed-1-velero')!;
    expect(isAlive(server)).toBe(true);
    await b.velero[0]!.stop();
    expect(isAlive(server)).toBe(false);
    expect(readState(b.directory)!.processes.map(({ name }) => name)).not.toContain('bed-1-velero');
  });
});
