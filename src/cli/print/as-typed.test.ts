import { expect, it } from 'vitest';
import { asTyped } from './as-typed.ts';

it.each([
  ['Run: headway install --crds-only', 'bin/headway', 'Run: bin/headway install --crds-only'],
  ['Run: headway install', 'kubectl headway', 'Run: kubectl headway install'],
  ['Run: kubectl headway backup get', 'kubectl headway', 'Run: kubectl headway backup get'],
  ['Run: ./bin/headway backup get', './bin/headway', 'Run: ./bin/headway backup get'],
  ['the accounts headway and headway-operator', 'bin/headway', 'the accounts headway and headway-operator'],
])('%s, typed as %s', (text, programName, typed) => {
  expect(asTyped(text, programName)).toBe(typed);
});
