import { describe, expect, it } from 'vitest';
import { age, humanDuration } from './age.ts';

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

describe('humanDuration', () => {
  it.each([
    [-2 * SECOND, '<invalid>'],
    [0, '0s'],
    [119 * SECOND, '119s'],
    [150 * SECOND, '2m30s'],
    [9 * MINUTE, '9m'],
    [45 * MINUTE, '45m'],
    [179 * MINUTE, '179m'],
    [3 * HOUR + 12 * MINUTE, '3h12m'],
    [26 * HOUR, '26h'],
    [3 * DAY + 4 * HOUR, '3d4h'],
    [15 * DAY, '15d'],
    [800 * DAY, '2y70d'],
    [4000 * DAY, '10y'],
  ])('%i is %s', (ms, expected) => {
    expect(humanDuration(ms)).toBe(expected);
  });
});

describe('age', () => {
  it('is unknown without a time', () => {
    expect(age(undefined, 0)).toBe('<unknown>');
    expect(age('not a time', 0)).toBe('<unknown>');
    expect(age('1970-01-01T00:00:00Z', 5000)).toBe('5s');
  });
});
