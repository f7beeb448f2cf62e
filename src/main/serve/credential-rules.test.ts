import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { credentialRules } from './credential-rules.ts';

let place: string;
let home: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), 'headway-rules-'));
  home = join(place, 'home');
});
afterEach(() => {
  rmSync(place, { recursive: true });
});

it('allows nothing that was not asked for', () => {
  expect(credentialRules({}, home)).toEqual({ root: undefined, state: home, plugins: [] });
  mkdirSync(join(place, 'root'));
  const flags = { credentialsRoot: join(place, 'root'), allowCredentialPlugins: ['role'] };
  expect(credentialRules(flags, home)).toEqual({ root: join(place, 'root'), state: home, plugins: ['role'] });
});

it('refuses flags that are wrong, before anything starts', () => {
  mkdirSync(join(home, 'server'), { recursive: true });
  symlinkSync(join(home, 'server'), join(place, 'link'));
  writeFileSync(join(place, 'file'), '');
  const refuse = (flags: Parameters<typeof credentialRules>[0]) => expect(() => credentialRules(flags, home));
  refuse({ allowCredentialPlugins: ['role', 'sso'] }).toThrow('expected process or role, got "sso"');
  refuse({ credentialsRoot: join(place, 'none') }).toThrow('ENOENT');
  refuse({ credentialsRoot: join(place, 'file') }).toThrow('expected a folder');
  for (const root of [home, join(home, 'server'), join(place, 'link')]) {
    refuse({ credentialsRoot: root }).toThrow("is Headway's state");
  }
});
