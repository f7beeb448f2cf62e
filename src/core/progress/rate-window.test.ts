import { describe, expect, it } from 'vitest';
import { rateOf, recordDone, startWindow, WINDOW_SECONDS, type RateWindow } from './rate-window.ts';

const T0 = 1_767_225_600_000;

function steady(seconds: number, perSecond: number): RateWindow {
  let window = startWindow(0, T0);
  for (let s = 1; s <= seconds; s += 1) window = recordDone(window, s * perSecond, T0 + s * 1000);
  return window;
}

describe('rate window', () => {
  it('says nothing before a second has passed', () => {
    const window = recordDone(startWindow(0, T0), 5, T0 + 10);
    expect(rateOf(window, T0 + 999)).toBeUndefined();
    expect(rateOf(window, T0 + 1000)).toEqual({ perSecond: 5, samples: 1, spanSeconds: 1 });
  });

  it('measures a steady rate, also when it is older than the window', () => {
    expect(rateOf(steady(10, 7), T0 + 10_000)?.perSecond).toBeCloseTo(7);
    const long = rateOf(steady(300, 7), T0 + 300_999);
    expect(long?.perSecond).toBeCloseTo(7);
    expect(long?.samples).toBe(WINDOW_SECONDS);
  });

  it('does not take the first count for speed: it may have been reached by another process', () => {
    const window = recordDone(startWindow(1_000_000, T0), 1_000_010, T0 + 2000);
    expect(rateOf(window, T0 + 2000)?.perSecond).toBe(5);
  });

  it('falls to 0 while nothing is done', () => {
    const window = steady(10, 6);
    expect(rateOf(window, T0 + 20_000)?.perSecond).toBeCloseTo(3);
    expect(rateOf(window, T0 + 120_000)).toMatchObject({ perSecond: 0, samples: 0 });
  });

  it('adds what happens within one second into one bucket and forgets old buckets', () => {
    let window = startWindow(0, T0);
    for (let i = 1; i <= 5000; i += 1) window = recordDone(window, i, T0 + i * 100);
    expect(window.buckets.length).toBeLessThanOrEqual(WINDOW_SECONDS);
    expect(rateOf(window, T0 + 500_000)?.perSecond).toBeCloseTo(10, 0);
  });

  it('ignores counts that do not grow', () => {
    const window = steady(3, 1);
    expect(recordDone(window, 3, T0 + 9000)).toBe(window);
    expect(recordDone(window, 2, T0 + 9000)).toBe(window);
  });

  it('starts anew when the clock was set back', () => {
    const back = recordDone(steady(10, 100), 1001, T0 - 3_600_000);
    expect(back).toEqual(startWindow(1001, T0 - 3_600_000));
    expect(rateOf(steady(10, 100), T0 + 5000)).toBeUndefined();
  });
});
