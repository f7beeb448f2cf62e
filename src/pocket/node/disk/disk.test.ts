import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { eventually } from '../../../../test/eventually.ts';
import { NO_LOG } from '../../../base/index.ts';
import { bytesBelow } from './bytes-below.ts';
import { DiskWatch, type Tenant } from './disk-watch.ts';

const MEBIBYTE = 1024 * 1024;
const TOTAL = 100 * MEBIBYTE;

describe('a disk that is shared', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-disk-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const reserve = () => statSync(join(dir, 'reserve'), { throwIfNoEntry: false })?.size;

  /** A disk with tenants that give back what they had when they are evicted, unless it stays. */
  function shared(had: Record<string, number>, { free, stays = [] }: { free: number; stays?: string[] }) {
    const clock = new FakeClock();
    const room = { free, total: TOTAL };
    const evicted: string[] = [];
    let looks = 0;
    const tenants = (): Tenant[] =>
      Object.entries(had).map(([name, bytes]) => ({
        bytes: () => Promise.resolve(evicted.includes(name) ? 0 : bytes),
        evict: (message) => {
          evicted.push(name);
          expect(message).toContain('low on resource: ephemeral-storage');
          if (!stays.includes(name)) room.free += bytes;
          return Promise.resolve();
        },
      }));
    const roomIn = () => {
      looks += 1;
      return Promise.resolve({ ...room });
    };
    const watch = new DiskWatch({ dir, clock, log: NO_LOG, tenants, roomIn });
    const look = async () => {
      const before = looks;
      await eventually(async () => {
        await clock.advance(1000);
        if (looks <= before + 1) throw new Error('it has not looked yet');
      });
    };
    return { watch, room, evicted, look };
  }

  it('keeps a little for the cluster, and lets everybody be while there is room', async () => {
    const { watch, evicted, look } = shared({ a: 50 * MEBIBYTE }, { free: 40 * MEBIBYTE });
    await look();
    expect(evicted).toEqual([]);
    expect(reserve()).toBe(TOTAL / 16);
    await watch.close();
  });

  it('evicts who has most, and nobody else when that is enough', async () => {
    const had = { a: 6 * MEBIBYTE, b: 30 * MEBIBYTE, c: 7 * MEBIBYTE };
    const { watch, evicted, look } = shared(had, { free: 4 * MEBIBYTE });
    await look();
    await look();
    expect(evicted).toEqual(['b']);
    await watch.close();
  });

  it('goes on to the next one when it was not enough, and gives its own share', async () => {
    writeFileSync(join(dir, 'reserve'), 'x');
    const { watch, evicted, look } = shared({ a: 6 * MEBIBYTE, b: 30 * MEBIBYTE }, { free: 0, stays: ['b', 'a'] });
    await look();
    await look();
    await look();
    expect(evicted).toEqual(['b', 'a']);
    expect(reserve()).toBeUndefined();
    await watch.close();
  });

  it('blames nobody for what is not theirs', async () => {
    const { watch, evicted, look, room } = shared({ a: MEBIBYTE }, { free: 0 });
    await look();
    await look();
    expect(evicted).toEqual([]);
    room.free = TOTAL / 2;
    await look();
    expect(reserve()).toBe(TOTAL / 16);
    await watch.close();
  });

  it('is measured in what files take, and follows no link', async () => {
    mkdirSync(join(dir, 'a/b'), { recursive: true });
    writeFileSync(join(dir, 'a/b/file'), Buffer.alloc(MEBIBYTE, 1));
    symlinkSync('/usr', join(dir, 'a/usr'));
    const bytes = await bytesBelow(dir);
    expect(bytes).toBeGreaterThanOrEqual(MEBIBYTE);
    expect(bytes).toBeLessThan(2 * MEBIBYTE);
    expect(await bytesBelow(join(dir, 'nothing'))).toBe(0);
    expect(existsSync(join(dir, 'a/usr'))).toBe(true);
  });
});
