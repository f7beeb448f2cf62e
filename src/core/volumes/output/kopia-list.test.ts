import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { KopiaListing, type KopiaEntry } from './kopia-list.ts';

const FILE = '0123456789abcdef0123456789abcdef';
const DIRECTORY = `k${FILE}`;

/** As kopia 0.22.3 prints it. */
function lineOf(kind: string, size: number, path: string): string {
  const id = kind.startsWith('d') ? DIRECTORY : FILE;
  return `${kind} ${String(size).padStart(12)} 2026-11-17 20:48:07 UTC ${id.padEnd(34)} ${path}\n`;
}

function read(text: string, size = 7): KopiaEntry[] {
  const listing = new KopiaListing();
  const entries: KopiaEntry[] = [];
  for (let at = 0; at < text.length; at += size) entries.push(...listing.push(text.slice(at, at + size)));
  return [...entries, ...listing.end()];
}

it('reads what kopia prints: kinds, special bits, sizes, names that begin with spaces', () => {
  const text = [
    lineOf('drwxr-xr-x', 2, 'a dir/'),
    lineOf('-rw-r--r--', 2, 'a dir/f'),
    lineOf('Lrwxrwxrwx', 4, 'link'),
    lineOf('dtrwxrwxrwx', 1, 'st/'),
    lineOf('----------', 1_099_511_627_776, 'st/.x'),
    lineOf('ugrwxr-x--x', 0, '  spaces'),
  ].join('');
  const modifiedAt = '2026-11-17T20:48:07.000Z';
  expect(read(text)).toEqual([
    { path: 'a dir', type: 'directory', bytes: 2, mode: 0o755, modifiedAt },
    { path: 'a dir/f', type: 'file', bytes: 2, mode: 0o644, modifiedAt },
    { path: 'link', type: 'symlink', bytes: 4, mode: 0o777, modifiedAt },
    { path: 'st', type: 'directory', bytes: 1, mode: 0o1777, modifiedAt },
    { path: 'st/.x', type: 'file', bytes: 1_099_511_627_776, mode: 0, modifiedAt },
    { path: '  spaces', type: 'file', bytes: 0, mode: 0o6751, modifiedAt },
  ]);
});

it('keeps line breaks in names, and counts a name that looks like a file as two', () => {
  const text = lineOf('drwxr-xr-x', 0, 'two\nlines/') + lineOf('-rw-r--r--', 0, 'two\nlines/\n\rx');
  expect(read(text).map(({ path }) => path)).toEqual(['two\nlines', 'two\nlines/\n\rx']);
  expect(read(lineOf('-rw-r--r--', 0, `evil\n${lineOf('-rw-r--r--', 5, 'forged').trimEnd()}`))).toHaveLength(2);
});

it('gives the same however the text is cut into pieces', () => {
  const name = fc.string({ unit: 'binary', minLength: 1, maxLength: 20 }).filter((text) => !/[/\0]/.test(text));
  fc.assert(
    fc.property(fc.array(name, { maxLength: 6 }), fc.integer({ min: 1, max: 50 }), (names, size) => {
      const text = names.map((path) => lineOf('-rw-r--r--', 1, path)).join('');
      expect(read(text, size).map(({ path }) => path)).toEqual(names);
    }),
    { numRuns: fuzzRuns(50) },
  );
});

it('is not upset by anything, and holds no more than a path of what does not end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      for (const { bytes, mode } of read(text)) expect([bytes >= 0, mode <= 0o7777]).toEqual([true, true]);
    }),
    { numRuns: fuzzRuns(50) },
  );
  const endless = lineOf('-rw-r--r--', 1, 'x\n'.repeat(100_000));
  expect(read(endless, 5000)[0]?.path.length).toBeLessThan(20_000);
  expect(read(lineOf('-rw-r--r--', 1, 'x'.repeat(200_000)), 5000)[0]?.path.length).toBeLessThan(20_000);
  expect(read('-rw-r--r--            5 2026-13-41 14:00:00 UTC 0123   no such day\n')).toEqual([]);
});
