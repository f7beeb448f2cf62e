import { describe, expect, it } from 'vitest';
import { missingDataMessage } from '../backup/index.ts';
import { missingClaims, missingInShort } from './missing-claims.ts';
import { operationProblems } from './problems.ts';

const status = (message: string) => ({ conditions: [{ type: 'VolumeDataMissing', status: 'True', message }] });

describe('claims without data', () => {
  it('are read by reason as they were written, whatever signs a reason has in it', () => {
    const reasons: Record<string, string> = {
      'shop/cache': 'no running pod mounts it (yet); try again',
      'shop/tmp': 'no running pod mounts it (yet); try again',
      'bank/raw': 'it is a block volume',
    };
    const message = missingDataMessage(Object.keys(reasons), (claim) => reasons[claim]);
    expect(missingClaims(status(message))).toEqual([
      { claims: ['shop/cache', 'shop/tmp'], reason: 'no running pod mounts it (yet); try again' },
      { claims: ['bank/raw'], reason: 'it is a block volume' },
    ]);
  });

  it('are read without a reason, and up to where the rest is only counted', () => {
    const many = Array.from({ length: 120 }, (_, at) => `shop/c${String(at)}`);
    const [group] = missingClaims(status(missingDataMessage(many)));
    expect([group?.claims.length, group?.claims.at(-1), group?.reason]).toEqual([100, 'shop/c99', undefined]);
  });

  it('are none where the condition says something else or is not true', () => {
    expect(missingClaims(status('something else'))).toEqual([]);
    expect(missingClaims({})).toEqual([]);
  });

  it('are told with their reason, however many there are', () => {
    const many = Array.from({ length: 134 }, (_, at) => `shop/c${String(at)}`);
    const message = missingDataMessage(many, (claim) =>
      claim === 'shop/c2' ? 'it is a block volume' : 'nobody asked',
    );
    const short =
      'the data of 134 claims is not in the backup: shop/c0, shop/c1, shop/c3, shop/c4, shop/c5, shop/c6 and 93 more ' +
      '(nobody asked); shop/c2 (it is a block volume); and 34 more; all are named in the log';
    expect(operationProblems(status(message))).toMatchObject([{ level: 'warning', text: short }]);
    expect(missingInShort(status(missingDataMessage(['shop/a', 'shop/b'])))).toBe(
      'the data of 2 claims is not in the backup: shop/a, shop/b',
    );
    expect(missingInShort(status('something else'))).toBeUndefined();
    expect(operationProblems(status('something else'))).toMatchObject([{ text: 'something else' }]);
  });
});
