import { describe, expect, it } from 'vitest';
import { giveBackAtRest, GivingBack } from './give-back.ts';
import { eventually } from '../../../test/eventually.ts';

const MB = 1024 ** 2;
const at = (cpuMs: number, megabytes: number) => ({ cpuMs, bytes: megabytes * MB });

describe('giving memory back', () => {
  it('waits until the work is over', () => {
    const giving = new GivingBack(at(0, 40));
    expect(giving.isTime(at(800, 80), 1000)).toBe(false);
    // One that waits for a slow server.
    expect(giving.isTime(at(850, 90), 1000)).toBe(false);
    expect(giving.isTime(at(860, 90), 1000)).toBe(true);
  });

  it('happens once, and again only after more work', () => {
    const giving = new GivingBack(at(0, 40));
    expect(giving.isTime(at(10, 90), 1000)).toBe(true);
    giving.collected(at(60, 50));
    expect(giving.isTime(at(70, 52), 1000)).toBe(false);
    expect(giving.isTime(at(80, 57), 1000)).toBe(false);
    expect(giving.isTime(at(90, 59), 1000)).toBe(true);
  });

  it('is not worth it for little, and counts from the least that there was', () => {
    const giving = new GivingBack(at(0, 90));
    expect(giving.isTime(at(10, 97), 1000)).toBe(false);
    expect(giving.isTime(at(20, 50), 1000)).toBe(false);
    expect(giving.isTime(at(30, 60), 1000)).toBe(true);
  });

  it('frees what nobody holds any more', async () => {
    using _ = giveBackAtRest();
    let garbage: Uint8Array | undefined = new Uint8Array(64 * MB).fill(1);
    const seen = new WeakRef(garbage);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    garbage = undefined;
    await eventually(
      () => {
        expect(seen.deref() === garbage).toBe(true);
      },
      { withinMs: 20_000 },
    );
  });
});
