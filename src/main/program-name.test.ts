import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { programName } from './program-name.ts';

const CHECKOUT = resolve(import.meta.dirname, '../..');

it.each([
  ['headway', '/', 'headway'],
  ['./bin/headway', '/', './bin/headway'],
  ['/opt/my tools/headway', '/', "'/opt/my tools/headway'"],
  ['/usr/local/bin/kubectl-headway', '/', 'kubectl headway'],
  [undefined, CHECKOUT, 'bin/headway'],
  [undefined, '/somewhere/else', `${CHECKOUT}/bin/headway`],
])('called as %s in %s, is typed again as %s', (calledAs, cwd, typed) => {
  expect(programName(calledAs, cwd)).toBe(typed);
});
