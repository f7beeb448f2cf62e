import fc from 'fast-check';
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkKey, checkPrefix, keyProblem } from './key.ts';

describe('keys', () => {
  it.each([
    'a',
    'backups/b-1/velero-backup.json',
    'a b',
    'ü/漢字',
    '...',
    'a/..b/c.',
    'x'.repeat(1024),
    'é'.repeat(512),
  ])('may be %j', (key) => {
    expect(keyProblem(key)).toBeUndefined();
  });

  it('are counted in bytes', () => {
    expect(keyProblem('é'.repeat(513))).toContain('1026 bytes');
  });

  it('that are accepted stay where they are put, whatever they contain', () => {
    const piece = fc.oneof(
      fc.constantFrom('.', '..', '', '/', '\0', '\\', 'a', '%2e', ' '),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('/')),
        (key) => {
          fc.pre(keyProblem(key) === undefined);
          expect(posix.resolve('/root', key)).toBe(`/root/${key}`);
          expect(posix.resolve('/root', key).startsWith('/root/')).toBe(true);
          expect(Buffer.from(key).toString()).toBe(key);
        },
      ),
    );
  });

  it('that are refused are named in the error, shortened', () => {
    expect(() => {
      checkKey(`../${'x'.repeat(5000)}`);
    }).toThrow(/^use "\.\.\/x{197}…" as the key of an object: it has 5003 bytes/);
  });

  it.each(['', 'a', 'a/', 'a/b'])('may begin with %j', (prefix) => {
    expect(() => {
      checkPrefix(prefix);
    }).not.toThrow();
  });

  it.each(['/', '../', 'a//', 'a\0'])('may not begin with %j', (prefix) => {
    expect(() => {
      checkPrefix(prefix);
    }).toThrow('list objects below');
  });
});
