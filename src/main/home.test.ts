import { homedir } from 'node:os';
import { expect, it } from 'vitest';
import { homeDirectory } from './home.ts';

it.each([
  [{ HEADWAY_HOME: '/a' }, '/a'],
  [{ HEADWAY_HOME: 'a' }, `${process.cwd()}/a`],
  [{ HEADWAY_HOME: '', XDG_STATE_HOME: '/state' }, '/state/headway'],
  [{ XDG_STATE_HOME: 'relative is ignored, as the XDG specification says' }, `${homedir()}/.local/state/headway`],
  [{}, `${homedir()}/.local/state/headway`],
])('%j is %s', (env, path) => {
  expect(homeDirectory(env)).toBe(path);
});
