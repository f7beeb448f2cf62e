import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { putInPlace } from './put-in-place.ts';

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'headway-page-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function build(name: string, text: string): string {
  const path = join(directory, name);
  mkdirSync(path);
  writeFileSync(join(path, 'index.html'), text);
  return path;
}

it('takes the page of whoever is first when two build it at once', () => {
  const wanted = join(directory, 'page');
  putInPlace(build('one', 'first'), wanted, 'index.html');
  putInPlace(build('two', 'second'), wanted, 'index.html');
  expect(readFileSync(join(wanted, 'index.html'), 'utf8')).toBe('first');
});

it('fails when there is no page in the end', () => {
  const wanted = join(directory, 'elsewhere', 'page');
  expect(() => {
    putInPlace(build('three', 'third'), wanted, 'index.html');
  }).toThrow('ENOENT');
});
