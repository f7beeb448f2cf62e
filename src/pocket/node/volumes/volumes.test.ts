import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { pod } from '../../../../test/pocket/sample-objects.ts';
import type { Volume } from '../../controllers/kinds/index.ts';
import { showFiles } from './atomic-files.ts';
import { containerBinds } from './container-binds.ts';
import { areNested } from './host-path.ts';
import { mountVolume, unknownVolume } from './pod-volumes.ts';
import { projectedFiles } from './projection.ts';

const map = (data: Record<string, string>) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'cm' }, data });
const view = {
  configMap: (name: string) => (name === 'cm' ? map({ a: '1', b: '2' }) : undefined),
  secret: () => undefined,
  claim: () => undefined,
  volume: () => undefined,
  podIP: '127.20.0.1',
  node: { cpus: 1, memoryBytes: 1 },
};

describe('projectedFiles', () => {
  const files = (volume: Omit<Volume, 'name'>) => projectedFiles(pod('p'), { name: 'v', ...volume }, view);
  const shown = (volume: Omit<Volume, 'name'>) => {
    const made = files(volume);
    return made?.kind === 'files'
      ? made.files.map(({ path, content, mode }) => [path, Buffer.from(content).toString(), mode])
      : made;
  };

  it('has keys under their paths, with the modes that were asked for', () => {
    const items = [
      { key: 'a', path: 'x/y', mode: 0o400 },
      { key: 'b', path: 'z' },
    ];
    expect(shown({ configMap: { name: 'cm', items, defaultMode: 0o640 } })).toEqual([
      ['x/y', '1', 0o400],
      ['z', '2', 0o640],
    ]);
  });

  it('takes the later one of two at the same path', () => {
    const sources = [
      { configMap: { name: 'cm', items: [{ key: 'a', path: 'f' }] } },
      { configMap: { name: 'cm', items: [{ key: 'b', path: 'f' }] } },
    ];
    expect(shown({ projected: { sources } })).toEqual([['f', '2', 0o644]]);
  });

  it.each([
    [{ configMap: { name: 'nope' } }, 'configmap "nope" not found'],
    [{ secret: { secretName: 'nope' } }, 'secret "nope" not found'],
    [
      { configMap: { name: 'cm', items: [{ key: 'k', path: 'k' }] } },
      'configmap references non-existent config key: k',
    ],
  ])('says what is missing', (volume, message) => {
    expect(files(volume)).toEqual({ kind: 'problem', message });
  });

  it('has an empty token, and is nothing for other volumes', () => {
    const sources = [{ serviceAccountToken: { path: 'token' } }];
    expect(files({ projected: { sources } })).toMatchObject({ hasEmptyToken: true, files: [{ path: 'token' }] });
    expect(files({ emptyDir: {} })).toBeUndefined();
  });
});

describe('on the disk', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-volumes-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const file = (path: string, text: string) => ({ path, content: Buffer.from(text), mode: 0o600 });

  it('is not held up by what a kill has left in the middle of a change', async () => {
    const at = join(dir, 'v');
    await showFiles(at, [file('a', '1')], 'one');
    symlinkSync('..one', join(at, '..data_tmp'));
    await showFiles(at, [file('a', '2')], 'two');
    expect(readFileSync(join(at, 'a'), 'utf8')).toBe('2');
    expect(readdirSync(at).toSorted()).toEqual(['..data', '..two', 'a']);
  });

  it('shows new files at one moment, and no old ones', async () => {
    const at = join(dir, 'v');
    await showFiles(at, [file('a', '1'), file('deep/b', '2')], 'one');
    expect(readFileSync(join(at, 'deep/b'), 'utf8')).toBe('2');
    expect(statSync(join(at, 'a')).mode & 0o777).toBe(0o600);
    const before = readlinkSync(join(at, '..data'));
    await showFiles(at, [file('a', '1'), file('deep/b', '2')], 'two');
    expect(readlinkSync(join(at, '..data'))).toBe(before);
    await showFiles(at, [file('a', 'changed')], 'one');
    expect(readFileSync(join(at, 'a'), 'utf8')).toBe('changed');
    expect(readdirSync(at).filter((name) => !name.startsWith('..'))).toEqual(['a']);
    expect(readdirSync(at)).toHaveLength(3);
  });

  it('shows no part of itself that lies elsewhere', () => {
    mkdirSync(join(dir, 'v/real'), { recursive: true });
    symlinkSync('/etc', join(dir, 'v/out'));
    symlinkSync('real', join(dir, 'v/in'));
    const sources = new Map([['v', { path: join(dir, 'v'), isReadOnly: false }]]);
    const part = (subPath: string) =>
      containerBinds({ name: 'c', volumeMounts: [{ name: 'v', mountPath: '/m', subPath }] }, sources, {});
    expect(part('in')).toMatchObject({ binds: [{ source: join(dir, 'v/real') }] });
    expect(part('out')).toMatchObject({ binds: [{ source: join(dir, 'v/etc') }] });
    expect(part('../x')).toMatchObject({ kind: 'problem' });
    expect(part('/etc')).toMatchObject({ kind: 'problem' });
    expect(part('new/one')).toMatchObject({ binds: [{ source: join(dir, 'v/new/one') }] });
  });

  it('mounts no folder that holds files of the cluster, and nothing that is not there', async () => {
    mkdirSync(join(dir, 'state/volumes/pvc-1'), { recursive: true });
    const places = {
      dir: join(dir, 'pod'),
      hidden: [join(dir, 'state')],
      stores: [join(dir, 'state/stores')],
      claims: join(dir, 'state/volumes'),
      isRoot: false,
    };
    const mount = (volume: Omit<Volume, 'name'>, change: Partial<Parameters<typeof mountVolume>[2]> = {}) =>
      mountVolume(pod('p'), { name: 'v', ...volume }, { ...view, ...change }, { places, stamp: 's' });
    const refusal = { kind: 'problem', message: expect.stringContaining('no pod may see') as string };
    for (const path of ['/', dir, join(dir, 'state'), join(dir, 'state/volumes')]) {
      expect(await mount({ hostPath: { path } })).toEqual(refusal);
    }
    expect(await mount({ hostPath: { path: join(dir, 'elsewhere') } })).toMatchObject({ kind: 'source' });
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'd' },
      spec: { volumeName: 'x' },
    };
    const local = (path: string) => ({
      claim: () => claim,
      volume: () => ({
        apiVersion: 'v1',
        kind: 'PersistentVolume',
        metadata: { name: 'x' },
        spec: { local: { path } },
      }),
    });
    const ofClaim = { persistentVolumeClaim: { claimName: 'd' } };
    expect(await mount(ofClaim, local(join(dir, 'state/volumes/pvc-1')))).toMatchObject({ kind: 'source' });
    expect(await mount(ofClaim, local(join(dir, 'state')))).toEqual(refusal);
    expect(await mount(ofClaim, local(join(dir, 'nowhere')))).toMatchObject({ kind: 'problem' });
    expect(await mount(ofClaim)).toMatchObject({ message: 'persistentvolumeclaim "d" not found' });
  });
});

it('knows which paths hold each other', () => {
  expect([areNested('/a', '/a/b'), areNested('/a/b', '/a'), areNested('/', '/a'), areNested('/a', '/ab')]).toEqual([
    true,
    true,
    true,
    false,
  ]);
});

it('names a volume that no machine could be asked for', () => {
  const nfs = { name: 'v', nfs: { server: 's', path: '/' } };
  expect(unknownVolume(pod('p', { spec: { volumes: [nfs] } }))).toContain('volume "v" is a nfs');
  expect(unknownVolume(pod('p', { spec: { volumes: [{ name: 'v', emptyDir: {} }] } }))).toBeUndefined();
});
