import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launch, stop, waitFor } from './launch.ts';
import { isAlive, MARK } from './processes.ts';
import { scratch, type Scratch } from './scratch.ts';
import { readState } from './state.ts';
import { claim, endBed } from './tenure.ts';

async function workplace(place: Scratch) {
  const directory = await claim(place.directory, 'a', false);
  return { directory: directory!, signal: new AbortController().signal };
}

const never = { what: 'a sign', timeoutMs: 10_000, missing: () => Promise.resolve('no sign') };

describe('launch', () => {
  it('writes the process down before it returns, marks it, and forgets it when stopped', async () => {
    using place = scratch();
    const work = await workplace(place);
    const script = `echo "$${MARK}"; exec sleep 100`;
    const launched = launch(work, { name: 'one', program: 'sh', args: ['-c', script] });
    expect(readState(work.directory)?.processes).toEqual([launched]);
    expect(isAlive(launched)).toBe(true);
    await stop(work, launched);
    expect(isAlive(launched)).toBe(false);
    expect(readState(work.directory)?.processes).toEqual([]);
    await endBed(place.directory, 'a');
  });

  it('says which program cannot be run', async () => {
    using place = scratch();
    const work = await workplace(place);
    expect(() => launch(work, { name: 'one', program: join(place.directory, 'none'), args: [] })).toThrow(
      /start one: .*none could not be run/,
    );
  });

  it('starts nothing after the bed was given up', async () => {
    using place = scratch();
    const work = { ...(await workplace(place)), signal: AbortSignal.abort(new Error('given up')) };
    expect(() => launch(work, { name: 'one', program: 'sleep', args: ['100'] })).toThrow('given up');
    expect(existsSync(join(work.directory, 'logs'))).toBe(false);
  });
});

describe('waitFor', () => {
  it('shows the last 20 lines of a program that ended', async () => {
    using place = scratch();
    const work = await workplace(place);
    const launched = launch(work, { name: 'one', program: 'sh', args: ['-c', 'sleep 0.1; seq 1 30'] });
    const error = await waitFor(work, launched, never).catch(String);
    expect(error).toContain('wait for one, a sign: the program ended');
    expect(error).toMatch(/log:\n11\n12\n[^]*30$/);
  });

  it('says what is missing when it takes too long', async () => {
    using place = scratch();
    const work = await workplace(place);
    const launched = launch(work, { name: 'one', program: 'sleep', args: ['100'] });
    await expect(waitFor(work, launched, { ...never, timeoutMs: 50 })).rejects.toThrow('not after 50 ms: no sign');
    await endBed(place.directory, 'a');
    expect(isAlive(launched)).toBe(false);
  });
});
