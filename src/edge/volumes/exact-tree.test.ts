import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { bytePath } from './byte-path.ts';
import { compareEntries, EntryList } from './entry-list.ts';
import { ExactTree } from './exact-tree.ts';
import { removeNow } from './remove-tree.ts';

let place: string;
const root = (): string => join(place, 'root');
const folder = (): string => join(place, 'found');

beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'headway-exact-'));
  for (const name of ['root', 'outside']) mkdirSync(join(place, name));
  writeFileSync(join(place, 'outside/precious'), 'precious');
});
afterEach(() => {
  expect(existsSync(join(place, 'outside/precious'))).toBe(true);
  rmSync(place, { recursive: true, force: true });
});

describe('removing', () => {
  it.each(['', '.', '..', '../outside', 'a/../../outside', '/outside', 'a//b', 'a/'])('refuses the path %j', (path) => {
    mkdirSync(join(root(), 'a'));
    expect(() => removeNow(root(), path)).toThrow(/no path of a file/);
    expect(readdirSync(root())).toEqual(['a']);
  });

  it('goes through no link above', () => {
    symlinkSync(join(place, 'outside'), join(root(), 'way'));
    expect(() => removeNow(root(), 'way/precious')).toThrow(/a directory above it is none/);
    expect(removeNow(root(), 'way')).toBe(1);
    expect(readdirSync(root())).toEqual([]);
  });

  it("leaves the file system's own folder, and a file of that name is nobody's", () => {
    mkdirSync(join(root(), 'lost+found'));
    expect(() => removeNow(root(), 'lost+found')).toThrow(/belongs to the file system/);
    rmSync(join(root(), 'lost+found'), { recursive: true });
    writeFileSync(join(root(), 'lost+found'), 'a file');
    expect(removeNow(root(), 'lost+found')).toBe(1);
  });

  it('counts what went, and what is not there is no error', () => {
    mkdirSync(join(root(), 'a/b'), { recursive: true });
    writeFileSync(join(root(), 'a/b/file'), '');
    symlinkSync(join(place, 'outside'), join(root(), 'a/link'));
    expect([removeNow(root(), 'a'), removeNow(root(), 'a'), removeNow(root(), 'a/b')]).toEqual([4, 0, 0]);
  });
});

describe('what is not in the backup', () => {
  const exact = (signal = new AbortController().signal): ExactTree =>
    new ExactTree({ root: root(), folder: folder(), signal });

  it('goes, and directories that stay keep their times', async () => {
    using kept = new EntryList(join(place, 'kept'));
    kept.add('stays', 'directory');
    mkdirSync(join(root(), 'stays'));
    for (const name of ['stays/extra', 'extra']) writeFileSync(join(root(), name), '');
    utimesSync(join(root(), 'stays'), 5, 5);
    utimesSync(root(), 7, 7);
    expect(await exact().removeExtras(kept)).toBe(2);
    expect([statSync(join(root(), 'stays')).mtimeMs, statSync(root()).mtimeMs]).toEqual([5000, 7000]);
    expect(existsSync(folder())).toBe(false);
  });

  it('stays when somebody cancels', async () => {
    using kept = new EntryList(join(place, 'kept'));
    for (let index = 0; index < 600; index += 1) writeFileSync(join(root(), `f${index}`), '');
    await expect(exact(AbortSignal.abort(new Error('enough'))).removeExtras(kept)).rejects.toThrow('enough');
    expect(readdirSync(root())).toHaveLength(600);
  });
});

it('compares two lists as sets of paths, also when they do not fit into memory', async () => {
  const path = fc.array(fc.constantFrom('a', 'b', ' ', '"', '\\', '\n', 'ü', '!', 'a b'), {
    minLength: 1,
    maxLength: 3,
  });
  const paths = fc.uniqueArray(
    path.map((names) => bytePath(names.join('/'))),
    { maxLength: 12 },
  );
  await fc.assert(
    fc.asyncProperty(paths, paths, fc.constantFrom(8, 1000), async (here, there, held) => {
      using a = new EntryList(join(place, 'a'), held);
      using b = new EntryList(join(place, 'b'), held);
      for (const one of here) a.add(one, 'file');
      // The same path twice, as in an odd archive.
      for (const one of [...there, ...there]) b.add(one, 'link');
      const seen: [string, string | undefined][] = [];
      await compareEntries(a, b, (one, _, other) => {
        seen.push([one, other]);
        return undefined;
      });
      const expected = here.map((one) => [one, there.includes(one) ? 'link' : undefined]);
      expect(new Map(seen)).toEqual(new Map(expected as [string, string | undefined][]));
      expect(seen).toHaveLength(here.length);
    }),
    { numRuns: fuzzRuns(100) },
  );
});
