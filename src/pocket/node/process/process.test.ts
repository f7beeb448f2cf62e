import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Programs } from '../machine/index.ts';
import { LAUNCH_SCRIPT } from './launch-script.ts';
import { withPaths } from './path-words.ts';
import { startFailure } from './start-failure.ts';
import { enterWords, shellLine } from './words.ts';

describe('withPaths', () => {
  const moved = [
    { target: '/v', source: '/host/v' },
    { target: '/v/deep', source: '/host/deep' },
    { target: '/', source: '/never' },
  ];
  it.each([
    ['cat /v/f', 'cat /host/v/f'],
    ['cat /v/deep/f', 'cat /host/deep/f'],
    ['/v', '/host/v'],
    ['echo x >/v/f; ls /v', 'echo x >/host/v/f; ls /host/v'],
    ['/var/v', '/var/v'],
    ['/vv', '/vv'],
    ['a/v', 'a/v'],
    ['PATH=/v:/v/deep', 'PATH=/host/v:/host/deep'],
    ['"/v"', '"/host/v"'],
    ['nothing', 'nothing'],
  ])('%s', (text, expected) => {
    expect(withPaths(text, moved)).toBe(expected);
  });
});

describe('enterWords', () => {
  const programs = { path: (name: string) => `/bin/${name}` } as unknown as Programs;
  const words = (change: object) =>
    enterWords(
      { programs, privilege: 'root', identity: { uid: 0, gid: 0 }, hasPrograms: true, isPrivileged: false, ...change },
      { first: 7, holder: 6, workingDir: '/' },
      ['ls'],
    ).join(' ');
  it('gives a command no more rights than its container has', () => {
    expect(words({})).toMatch(/ -- \/bin\/setpriv --bounding-set=-all,\+chown.* --inh-caps=-all -- ls$/);
    expect(words({ isPrivileged: true })).not.toContain('bounding-set');
    expect(words({ identity: { uid: 5, gid: 6 } })).toContain('--regid=6 --reuid=5 --clear-groups -- ls');
  });
  it('enters the user namespace of whoever waits for the container, as the user that it shows', () => {
    expect(words({ privilege: 'user', identity: { uid: 5, gid: 6 } })).toMatch(
      /--user=\/proc\/6\/ns\/user --preserve-credentials .* -- \/bin\/unshare --user --map-user=5 --map-group=6 -- ls$/,
    );
  });
});

describe('startFailure', () => {
  const said = (errors: string, output = 0) => ({ errors, output });
  it('knows who could not become the program', () => {
    expect(startFailure(127, said('unshare: failed to execute nope: No such file or directory\n'))).toBe(
      'failed to execute nope: No such file or directory',
    );
    expect(startFailure(126, said('/usr/bin/setpriv: x: Keine Berechtigung\n'))).toBe('x: Keine Berechtigung');
  });
  it.each([
    ['another code', 1, said('unshare: failed\n')],
    ['a shell that did not find a command', 127, said('sh: 1: nope: not found\n')],
    ['a program that said something', 127, said('unshare: failed\n', 1)],
    ['more than one line', 127, said('unshare: one\ntwo\n')],
    ['nothing', 127, said('')],
  ])('takes %s for the end of a program', (_what, code, words) => {
    expect(startFailure(code, words)).toBeUndefined();
  });
});

describe('the launcher', () => {
  /** Outside of any namespace, with nothing mounted and the name that the machine has anyway. */
  const launched = (report: string) => {
    const dir = mkdtempSync(join(tmpdir(), 'headway-launch-'));
    mkdirSync(join(dir, 'root'));
    const reporting = openSync(report, 'w');
    try {
      const words = ['-c', LAUNCH_SCRIPT, 'headway-pod', dir, hostname(), 'none', 'true', 'true', 'echo', 'ran'];
      const { status, stdout } = spawnSync('/bin/sh', words, {
        stdio: ['ignore', 'pipe', 'ignore', reporting, reporting],
      });
      return { status, said: stdout.toString() };
    } finally {
      closeSync(reporting);
      rmSync(dir, { recursive: true });
    }
  };
  it('becomes the program', () => {
    expect(launched('/dev/null')).toEqual({ status: 0, said: 'ran\n' });
  });
  it('does not when nobody hears it any more', () => {
    expect(launched('/dev/full')).toEqual({ status: 128, said: '' });
  });
});

it('writes a line that a shell takes for exactly these words', () => {
  const word = fc.string({ unit: 'binary', maxLength: 20 }).filter((text) => !text.includes('\0'));
  fc.assert(
    fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
      const line = shellLine(['printf', '%s\\n', ...words]);
      const { stdout } = spawnSync('/bin/sh', ['-c', line]);
      expect(stdout.equals(Buffer.from(words.map((one) => `${one}\n`).join('')))).toBe(true);
    }),
    { numRuns: 30 },
  );
});
