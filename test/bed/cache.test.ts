import { describe, expect, it } from 'vitest';
import { cacheDirectory, isBuilt, partKey, programPath } from './cache.ts';
import { partNamed, PARTS } from './parts.ts';

const etcd = partNamed('etcd');

describe('the key of a part', () => {
  it('is the same for the same recipe', () => {
    expect(partKey({ ...etcd }, 'recipe')).toBe(partKey(etcd, 'recipe'));
  });

  it.each([
    ['version', { ...etcd, version: 'v9.9.9' }, 'recipe'],
    ['package', { ...etcd, package: 'example.org/other' }, 'recipe'],
    ['linker variables', { ...etcd, variables: { version: '2' } }, 'recipe'],
    ['go.mod or go.sum', etcd, 'other recipe'],
  ])('changes with the %s', (_, part, recipe) => {
    expect(partKey(part, recipe)).not.toBe(partKey(etcd, 'recipe'));
  });

  it('differs between programs of one module', () => {
    expect(new Set(PARTS.map((part) => partKey(part))).size).toBe(PARTS.length);
  });
});

describe('the cache directory', () => {
  it.each([
    [{ HEADWAY_BED_CACHE: '/a', XDG_CACHE_HOME: '/b' }, '/a'],
    [{ XDG_CACHE_HOME: '/b' }, '/b/headway/bed'],
  ])('of %j is %s', (env, expected) => {
    expect(cacheDirectory(env)).toBe(expected);
  });

  it('holds each program below its name, version and key', () => {
    expect(programPath(etcd, '/cache')).toBe(`/cache/etcd-${etcd.version}-${partKey(etcd)}/bin/etcd`);
    expect(isBuilt(etcd, '/nowhere')).toBe(false);
  });
});
