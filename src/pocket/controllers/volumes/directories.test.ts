import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VolumeDirectories } from './directories.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'headway-volumes-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

it('makes a directory, keeps what is in it, and removes all of it', async () => {
  const directories = new VolumeDirectories(root);
  const path = await directories.make('pvc-1');
  writeFileSync(join(path, 'file'), 'data');
  expect(await directories.make('pvc-1')).toBe(path);
  expect(existsSync(join(path, 'file'))).toBe(true);
  await directories.remove(path);
  await directories.remove(path);
  expect(existsSync(path)).toBe(false);
});

it('removes nothing that is not a volume of the cluster', async () => {
  const directories = new VolumeDirectories(root);
  const own = await directories.make('pvc-1');
  mkdirSync(join(own, 'sub'));
  for (const path of [
    '/',
    root,
    join(root, 'volumes'),
    join(own, 'sub'),
    join(root, 'volumes', '..'),
    `${own}/../../x`,
  ]) {
    await expect(directories.remove(path)).rejects.toThrow('was refused');
  }
  expect(existsSync(own)).toBe(true);
});

it('does not follow links out of a volume', async () => {
  const outside = mkdtempSync(join(tmpdir(), 'headway-outside-'));
  writeFileSync(join(outside, 'precious'), '');
  const directories = new VolumeDirectories(root);
  const path = await directories.make('pvc-1');
  symlinkSync(outside, join(path, 'link'));
  await directories.remove(path);
  expect(existsSync(join(outside, 'precious'))).toBe(true);
  rmSync(outside, { recursive: true });
});
