import { describe, expect, it } from 'vitest';
import { DEFAULT_PRIORITIES, parsePriorities, tiersOf } from './priorities.ts';

const resolve = (name: string): string | undefined => ({ crd: 'crds.io', crds: 'crds.io', pods: 'pods' })[name];

describe('reading', () => {
  it.each<[string, string[], string[]]>([
    ['', [], []],
    ['pods', ['pods'], []],
    ['crd, pods ,-, z', ['crds.io', 'pods'], ['z']],
    ['-,z', [], ['z']],
    ['a,-', ['a'], []],
  ])('"%s"', (text, first, last) => {
    expect(parsePriorities(text, resolve)).toEqual({ first, last });
  });

  it.each([
    ['a,-,b,-,c', /at most one/],
    ['a,,b', /empty/],
    ['crd,-,crds', /crds.io is listed twice/],
  ])('refuses "%s"', (text, message) => {
    expect(() => parsePriorities(text, resolve)).toThrow(message);
  });
});

describe('tiers', () => {
  it('are one per entry that is there, and one for all others, alphabetically', () => {
    const present = ['zoo', 'pods', 'last', 'ant', 'configmaps'];
    const priorities = { first: ['configmaps', 'secrets', 'pods'], last: ['last'] };
    expect(tiersOf(present, priorities)).toEqual([['configmaps'], ['pods'], ['ant', 'zoo'], ['last']]);
    expect(tiersOf([], priorities)).toEqual([]);
  });

  it('begin with definitions and namespaces, and bring claims before pods', () => {
    const { first } = DEFAULT_PRIORITIES;
    expect(first.slice(0, 2)).toEqual(['customresourcedefinitions.apiextensions.k8s.io', 'namespaces']);
    expect(first.indexOf('persistentvolumeclaims')).toBeLessThan(first.indexOf('pods'));
  });
});
