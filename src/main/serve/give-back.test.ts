import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { garbageCollector, GivingBack } from './give-back.ts';

const MB = 1024 ** 2;
const at = (cpuMs: number, megabytes: number) => ({ cpuMs, bytes: megabytes * MB });

/** After how many looks at rest it is time; undefined if it never is. */
function looksUntil(giving: GivingBack, cpuMs: number, megabytes: number): number | undefined {
  for (let look = 1; look <= 100; look += 1) if (giving.isTime(at(cpuMs + look, megabytes), 1000)) return look;
  return undefined;
}

describe('giving memory back', () => {
  it('waits until the work has been over for half a minute', () => {
    const giving = new GivingBack(at(0, 40));
    for (let look = 1; look <= 100; look += 1) expect(giving.isTime(at(look * 50, 90), 1000)).toBe(false);
    expect(looksUntil(giving, 5000, 90)).toBe(30);
  });

  it('begins to count anew when there is work', () => {
    const giving = new GivingBack(at(0, 40));
    for (let look = 1; look < 30; look += 1) expect(giving.isTime(at(look, 90), 1000)).toBe(false);
    expect(giving.isTime(at(500, 90), 1000)).toBe(false);
    expect(looksUntil(giving, 500, 90)).toBe(30);
  });

  it('happens once, and again only after more work', () => {
    const giving = new GivingBack(at(0, 40));
    expect(looksUntil(giving, 0, 90)).toBe(30);
    giving.collected(at(60, 50));
    expect(looksUntil(giving, 60, 57)).toBeUndefined();
    giving.collected(at(260, 50));
    expect(looksUntil(giving, 260, 59)).toBe(30);
  });

  it('counts from the least that there was', () => {
    const giving = new GivingBack(at(0, 90));
    expect(looksUntil(giving, 0, 97)).toBeUndefined();
    giving.isTime(at(1000, 50), 1000);
    expect(looksUntil(giving, 1000, 60)).toBe(30);
  });

  it('frees what nobody holds any more', async () => {
    const collect = garbageCollector();
    const seen = ((): WeakRef<Uint8Array> => new WeakRef(new Uint8Array(MB)))();
    await setImmediate();
    collect();
    expect(seen.deref() === undefined).toBe(true);
  });
});
