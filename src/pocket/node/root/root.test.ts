import fc from 'fast-check';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeRoot, type RootBase } from './make-root.ts';
import { mountTable } from './mount-table.ts';
import { Places } from './places.ts';
import { removeFiles, removeTree } from './remove-tree.ts';
import { resolveInRoot } from './resolve.ts';

describe('resolveInRoot', () => {
  const links: Record<string, string> = {
    '/bin': 'usr/bin',
    '/var/run': '/run',
    '/etc/mtab': '../proc/self/mounts',
    '/loop': 'loop',
    '/out': '../../../../host',
    '/a': 'b/c',
    '/b': '/deep',
  };
  const resolve = (path: string): string | undefined => resolveInRoot(path, (one) => links[one]);
  it.each([
    ['/bin/sh', '/usr/bin/sh'],
    ['/var/run/secrets', '/run/secrets'],
    ['/etc/mtab', '/proc/self/mounts'],
    ['/out/etc', '/host/etc'],
    ['/a/x', '/deep/c/x'],
    ['/', '/'],
    ['/x/../../y', '/y'],
    ['/loop', undefined],
  ])('%s', (path, expected) => {
    expect(resolve(path)).toBe(expected);
  });

  it('never leads out, whatever links there are', () => {
    const part = fc.constantFrom('a', 'b', 'c', '..', '.');
    const target = fc
      .tuple(fc.boolean(), fc.array(part, { maxLength: 4 }))
      .map(([isAbsolute, parts]) => (isAbsolute ? '/' : '') + parts.join('/'));
    const table = fc.dictionary(fc.constantFrom('/a', '/b', '/a/b', '/b/c'), target);
    fc.assert(
      fc.property(table, fc.array(part, { maxLength: 6 }), (all, parts) => {
        const found = resolveInRoot(parts.join('/'), (path) => all[path]);
        if (found === undefined) return;
        expect(found.startsWith('/')).toBe(true);
        expect(found.split('/').includes('..')).toBe(false);
        // What was resolved leads nowhere else.
        expect(resolveInRoot(found, (path) => all[path])).toBe(found);
      }),
    );
  });
});

it('escapes what would mean something in a table of mounts', () => {
  const table = mountTable([{ source: '/a b', target: '/c\td#\\', type: 'none', options: 'rbind' }]);
  expect(table).toBe('/a\\040b /c\\011d\\043\\134 none rbind 0 0\n');
});

describe('on the disk', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-root-'));
  });
  afterEach(() => {
    removeFiles(dir);
  });

  it('makes what is missing in the layer, and keeps the modes of what is below', () => {
    mkdirSync(join(dir, 'lower/etc/private'), { recursive: true, mode: 0o750 });
    writeFileSync(join(dir, 'lower/etc/hosts'), 'x');
    mkdirSync(join(dir, 'upper'));
    const places = new Places([{ at: '/', upper: join(dir, 'upper'), lower: join(dir, 'lower') }]);
    places.ensure('/etc/private/key', 'file');
    places.ensure('/etc/hosts', 'file');
    places.ensure('/new/deep', 'folder', 0o1777);
    expect(existsSync(join(dir, 'upper/etc/private/key'))).toBe(true);
    expect(statSync(join(dir, 'upper/etc/private')).mode & 0o777).toBe(
      statSync(join(dir, 'lower/etc/private')).mode & 0o777,
    );
    expect(existsSync(join(dir, 'upper/etc/hosts'))).toBe(false);
    expect(statSync(join(dir, 'upper/new/deep')).mode & 0o7777).toBe(0o1777);
    expect(() => {
      places.ensure('/etc/hosts', 'folder');
    }).toThrow('/etc/hosts is not a folder');
  });

  const root = (change: { base?: RootBase; target?: string; masks?: string[]; isReadOnly?: boolean } = {}): string => {
    const { base = { kind: 'machine' }, target = '/var/run/data', masks = [], isReadOnly = false } = change;
    mkdirSync(join(dir, 'volume'), { recursive: true });
    const binds = [{ source: join(dir, 'volume'), target, isReadOnly: false }];
    const options = { base, binds, masks, isReadOnly, links: [], folders: [], workingDir: '/work' };
    mkdirSync(join(dir, 'c'));
    makeRoot({ dir: join(dir, 'c'), layer: 'disk', isRoot: true, ...options });
    return readFileSync(join(dir, 'c/mounts'), 'utf8');
  };

  it('mounts a volume where the container will look for it, not where a link of the machine leads', () => {
    const table = root();
    expect(table).toContain(`${dir}/volume ${dir}/c/root/run/data none rbind 0 0\n`);
    expect(existsSync(join(dir, 'c/root/run/data'))).toBe(true);
    expect(existsSync(join(dir, 'c/root/work'))).toBe(true);
    expect(readFileSync(join(dir, 'c/mounts'), 'utf8')).toMatch(/^\S+\/c\/root \S+\/c\/root none rbind 0 0\n/);
  });

  it('puts an empty folder over what nobody may see, where it would shine through', () => {
    const table = root({ masks: ['/usr/share', '/home/me', '/usr/nowhere'] });
    expect(table).toContain(`${dir}/c/empty ${dir}/c/root/usr/share none rbind,ro 0 0\n`);
    expect(table).not.toContain('/home/me');
    expect(table).not.toContain('nowhere');
  });

  it('takes a folder for the whole root, whatever its name has in it', () => {
    const folder = join(dir, 'a, b: c');
    mkdirSync(join(folder, 'bin'), { recursive: true });
    const table = root({ base: { kind: 'folder', path: folder }, target: '/data', isReadOnly: true });
    expect(table).toContain(`${folder.replaceAll(' ', '\\040')} ${dir}/c/lower none rbind 0 0\n`);
    expect(table).toContain('lowerdir=lower,upperdir=layer/all/u,workdir=layer/all/w');
    expect(table.trimEnd().endsWith('remount,bind,ro 0 0')).toBe(true);
    expect(existsSync(join(folder, 'data'))).toBe(false);
  });

  it('removes what nobody can look into', async () => {
    const now = (path: string): Promise<void> => {
      removeFiles(path);
      return Promise.resolve();
    };
    for (const remove of [removeTree, now]) {
      mkdirSync(join(dir, 'tree/inner'), { recursive: true });
      writeFileSync(join(dir, 'tree/inner/file'), '');
      symlinkSync('/etc', join(dir, 'tree/link'));
      chmodSync(join(dir, 'tree/inner'), 0);
      await remove(join(dir, 'tree'));
      expect(existsSync(join(dir, 'tree'))).toBe(false);
    }
    expect(existsSync('/etc/hosts')).toBe(true);
  });
});
