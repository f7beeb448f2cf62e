import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { walkTree, type TreeProblem } from './tree-walk.ts';

describe('a walk through a tree', () => {
  let root: string;
  const walk = (problems: TreeProblem[] = []): string[] =>
    [...walkTree(root, (problem) => problems.push(problem))].map(({ path, kind }) => `${kind} ${path}`);

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'headway-walk-'));
  });
  afterEach(() => {
    rmSync(root, { recursive: true, force: true });
  });

  it('sees a directory before what is in it, and follows no link', () => {
    mkdirSync(join(root, 'a/b'), { recursive: true });
    writeFileSync(join(root, 'a/b/file'), '');
    symlinkSync('.', join(root, 'a/loop'));
    const seen = walk();
    expect(seen.toSorted()).toEqual(['directory ', 'directory a', 'directory a/b', 'file a/b/file', 'link a/loop']);
    expect(seen.indexOf('directory a/b')).toBeLessThan(seen.indexOf('file a/b/file'));
  });

  it('goes through many files without holding them', () => {
    for (let at = 0; at < 1000; at += 1) writeFileSync(join(root, `f${at}`), '');
    expect(walk()).toHaveLength(1001);
  });

  it('passes over what vanishes on the way', () => {
    for (const name of ['a', 'b', 'c']) {
      mkdirSync(join(root, name));
      writeFileSync(join(root, name, 'file'), '');
    }
    const problems: TreeProblem[] = [];
    const seen: string[] = [];
    for (const { path, kind } of walkTree(root, (problem) => problems.push(problem))) {
      seen.push(path);
      if (kind === 'directory' && path !== '' && path !== 'b') rmSync(join(root, path), { recursive: true });
    }
    expect(seen).toContain('b/file');
    expect(problems).toEqual([]);
  });

  it.skipIf(process.getuid?.() === 0)(
    'tells of a directory that cannot be read (skipped for root, who reads all)',
    () => {
      mkdirSync(join(root, 'secret'));
      chmodSync(join(root, 'secret'), 0);
      const problems: TreeProblem[] = [];
      walk(problems);
      expect(problems).toMatchObject([{ path: 'secret' }]);
      chmodSync(join(root, 'secret'), 0o700);
    },
  );

  it('throws when there is no tree', () => {
    rmSync(root, { recursive: true });
    expect(() => walk()).toThrow('ENOENT');
  });
});
