import { describe, expect, it } from 'vitest';
import { tidyArguments } from './arguments.ts';
import { parseOrSelectors, parseSelector } from './label-selector.ts';
import {
  parseBoolean,
  parseSchedule,
  parseCount,
  parseDuration,
  parseList,
  parseMap,
  parseMappings,
  parseOrder,
} from './values.ts';

describe('tidyArguments', () => {
  it.each([
    ['-n velero backup get', 'backup get -n velero'],
    ['--context=a --kubeconfig f backup get x', 'backup get x --context=a --kubeconfig f'],
    ['backup get -n velero', 'backup get -n velero'],
    ['backup create --snapshot-volumes x', 'backup create --snapshot-volumes=true x'],
    ['backup create --snapshot-volumes=false x', 'backup create --snapshot-volumes=false x'],
    ['__complete -- -n velero --paused', '__complete -- -n velero --paused'],
    ['', ''],
  ])('%s', (given, tidy) => {
    expect(tidyArguments(given.split(' ').filter(Boolean))).toEqual(tidy.split(' ').filter(Boolean));
  });
});

describe('parseSelector', () => {
  it.each([
    ['app=shop', { matchLabels: { app: 'shop' } }],
    ['app==shop,empty=', { matchLabels: { app: 'shop', empty: '' } }],
    ['a.b/c!=d', { matchExpressions: [{ key: 'a.b/c', operator: 'NotIn', values: ['d'] }] }],
    [
      'x in (a, b),y notin (c)',
      {
        matchExpressions: [
          { key: 'x', operator: 'In', values: ['a', 'b'] },
          { key: 'y', operator: 'NotIn', values: ['c'] },
        ],
      },
    ],
    [
      'there,!gone',
      {
        matchExpressions: [
          { key: 'there', operator: 'Exists' },
          { key: 'gone', operator: 'DoesNotExist' },
        ],
      },
    ],
  ])('%s', (text, selector) => {
    expect(parseSelector(text)).toEqual(selector);
  });

  it.each(['', 'a=b c', '=x', 'a in b', 'a=(b)', 'a,,b'])('refuses "%s"', (text) => {
    expect(() => parseSelector(text)).toThrow('expected a label selector');
  });

  it('splits alternatives', () => {
    expect(parseOrSelectors('a=b or c=d')).toEqual([{ matchLabels: { a: 'b' } }, { matchLabels: { c: 'd' } }]);
  });
});

describe('values', () => {
  it('reads lists and maps, again and again', () => {
    expect(parseList('a, b,', ['x'])).toEqual(['x', 'a', 'b']);
    expect(parseMap('a=b,c=d=e', { x: 'y' })).toEqual({ x: 'y', a: 'b', c: 'd=e' });
    expect(parseMappings('a:b')).toEqual({ a: 'b' });
    expect(parseOrder('pods=a/b,c/d; pv=x')).toEqual({ pods: 'a/b,c/d', pv: 'x' });
    expect(parseMap('__proto__=x')).not.toHaveProperty('x');
  });

  it.each([
    [() => parseMap('a'), 'expected key=value'],
    [() => parseMappings('a=b'), 'expected old:new'],
    [() => parseOrder('pods='), 'expected kind=ns/name'],
    [() => parseDuration('3 days'), 'expected a duration'],
    [() => parseDuration('-1h'), 'expected a duration'],
    [() => parseBoolean('yes'), 'expected true or false'],
    [() => parseSchedule('every day'), 'expected exactly 5 fields, found 2'],
    [() => parseSchedule('0 25 * * *'), 'hour'],
    [() => parseCount('0'), 'expected a whole number from 1 to 1000'],
  ])('refuses what is wrong (%#)', (parse, message) => {
    expect(parse).toThrow(message);
  });

  it('writes durations as Go does', () => {
    expect(parseDuration('90s')).toBe('1m30s');
  });
});
