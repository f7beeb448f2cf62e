import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { SERVER_VERSION, VERSION } from './version.ts';

it('is the version of the package', () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  expect(VERSION).toBe(version);
});

it('is told to the stock CLI beside the version of Velero that the answers are those of', () => {
  // Another major or minor version makes `velero version` warn that the server is old.
  expect(SERVER_VERSION).toBe(`v1.18.3+headway.${VERSION}`);
});
