import { describe, expect, it } from 'vitest';
import { ChangeLog } from './change-log.ts';
import { Stored } from './stored.ts';

function fill(log: ChangeLog, from: number, to: number, size = 2): void {
  for (let rv = from; rv <= to; rv += 1) {
    const object = new Stored('r', { namespace: '', name: `n${rv}`, rv }, 'x'.repeat(size));
    log.append({ type: 'ADDED', rv, object, previous: undefined });
  }
}

describe('ChangeLog', () => {
  it('knows what came after a version, of one resource only', () => {
    const log = new ChangeLog(10, { events: 100, characters: 1000 });
    fill(log, 11, 15);
    expect(log.since(13, 'r')?.map(({ rv }) => rv)).toEqual([14, 15]);
    expect(log.since(13, 'other')).toEqual([]);
    expect(log.since(99, 'r')).toEqual([]);
    expect(log.since(9, 'r')).toBeUndefined();
  });

  it('forgets the oldest by number and by size', () => {
    const byNumber = new ChangeLog(0, { events: 3, characters: 1000 });
    fill(byNumber, 1, 50);
    expect(byNumber.floor).toBe(47);
    expect(byNumber.since(47, 'r')?.map(({ rv }) => rv)).toEqual([48, 49, 50]);
    expect(byNumber.since(46, 'r')).toBeUndefined();
    const bySize = new ChangeLog(0, { events: 100, characters: 100 });
    fill(bySize, 1, 5, 40);
    expect(bySize.since(3, 'r')?.map(({ rv }) => rv)).toEqual([4, 5]);
    expect(bySize.since(2, 'r')).toBeUndefined();
  });
});
