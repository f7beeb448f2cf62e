import { describe, expect, it } from 'vitest';
import { ADAPTERS, GROUPS } from '../../core/operations/index.ts';
import { BUILT_ENGINES, ENGINES, parseEngines } from './engines.ts';

describe('--engines', () => {
  it('means everything that there is, when it is not given', () => {
    expect(parseEngines(undefined)).toEqual(['velero', 'kanister']);
    expect(BUILT_ENGINES).toEqual(['velero', 'kanister']);
    expect(parseEngines(['kanister', 'velero'])).toEqual(['velero', 'kanister']);
    for (const name of BUILT_ENGINES) expect(ENGINES[name]).toHaveProperty('create');
  });

  it.each([
    [['velero'], ['velero']],
    [
      ['migration', 'velero'],
      ['velero', 'migration'],
    ],
    [['none'], []],
  ])('%j chooses %j', (names, chosen) => {
    expect(parseEngines(names)).toEqual(chosen);
  });

  it.each([[[]], [['Velero']], [['velero', 'none']], [['']]])('%j is refused', (names) => {
    expect(() => parseEngines(names)).toThrow(/expected some of velero, kanister, migration, or none to only look/);
  });
});

it('has an engine for every group, which needs kinds of its own group', () => {
  expect(Object.keys(ENGINES)).toEqual([...GROUPS]);
  for (const { name, needs } of Object.values(ENGINES)) {
    const own = ADAPTERS.filter(({ group }) => group === name).map(({ type }) => type);
    for (const type of needs) expect(own).toContainEqual(type);
  }
});
