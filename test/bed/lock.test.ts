import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withLock } from './lock.ts';
import { scratch } from './scratch.ts';

const HOLDER = `
  import { withLock } from ${JSON.stringify(join(import.meta.dirname, 'lock.ts'))};
  await withLock(process.argv[1], { timeoutMs: 10000 }, async () => {
    process.stdout.write('held\\n');
    await new Promise((resolve) => process.stdin.once('end', resolve).resume());
  });
`;

describe('withLock', () => {
  it('lets one at a time work', async () => {
    using place = scratch();
    let inside = 0;
    let most = 0;
    const work = async () => {
      most = Math.max(most, ++inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside--;
    };
    await Promise.all(Array.from({ length: 8 }, () => withLock(place.directory, { timeoutMs: 10_000 }, work)));
    expect(most).toBe(1);
  });

  it('frees the lock when the work throws', async () => {
    using place = scratch();
    const fail = () => Promise.reject(new Error('no'));
    await expect(withLock(place.directory, { timeoutMs: 1000 }, fail)).rejects.toThrow('no');
    expect(await withLock(place.directory, { timeoutMs: 1000 }, () => Promise.resolve(1))).toBe(1);
  });

  it('names the process that holds it, and goes on when that one is killed', async () => {
    using place = scratch();
    const holder = place.start(process.execPath, ['--input-type=module', '-e', HOLDER, place.directory]);
    await once(holder.stdout!, 'data');
    const waited = await new Promise<string>((resolve, reject) => {
      let holderPid = '';
      const onWait = (pid: string) => {
        holderPid = pid;
        holder.kill('SIGKILL');
      };
      withLock(place.directory, { timeoutMs: 10_000, onWait }, () => Promise.resolve(holderPid)).then(resolve, reject);
    });
    expect(waited).toBe(String(holder.pid));
  });

  it('gives up after its time', async () => {
    using place = scratch();
    const second = withLock(place.directory, { timeoutMs: 1000 }, async () => {
      const third = withLock(place.directory, { timeoutMs: 30 }, () => Promise.resolve());
      await expect(third).rejects.toThrow(/timeout|aborted/i);
    });
    await second;
  });
});
