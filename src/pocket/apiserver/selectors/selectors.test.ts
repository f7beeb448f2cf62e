import { describe, expect, it } from 'vitest';
import type { ApiObject } from '../object/index.ts';
import { parseFieldSelector, parseLabelSelector } from './index.ts';

const LABELS = { app: 'web', tier: 'front', count: '5' };

describe('parseLabelSelector', () => {
  it.each([
    ['app=web', true],
    ['app==web', true],
    ['app = web , tier=front', true],
    ['app=db', false],
    ['app!=db', true],
    ['missing!=x', true],
    ['app', true],
    ['missing', false],
    ['!missing', true],
    ['!app', false],
    ['app in (web, db)', true],
    ['app in (db)', false],
    ['app notin (db)', true],
    ['missing notin (db)', true],
    ['tier=front,app in (web),!missing', true],
    ['count>4', true],
    ['count<5', false],
    ['empty=', false],
    ['toString', false],
  ])('%s is %s', (text, expected) => {
    expect(parseLabelSelector(text)?.(LABELS)).toBe(expected);
  });

  it('matches everything when it is empty', () => {
    expect(parseLabelSelector('')).toBeUndefined();
    expect(parseLabelSelector('  ')).toBeUndefined();
  });

  it.each([
    ['a==b==c', "found '==', expected: ',' or 'end of string'"],
    ['=a', "found '=', expected: !, identifier, or 'end of string'"],
    ['a,', "found '', expected: identifier after ','"],
    ['a in b', "unable to parse requirement: found 'b' expected: '('"],
    ['a in (b', "unable to parse requirement: found '', expected: ',' or ')'"],
    ['a b', "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"],
    ['a==!', "unable to parse requirement: found '!', expected: identifier"],
  ])('refuses %s', (text, message) => {
    expect(() => parseLabelSelector(text)).toThrow(message);
  });
});

describe('parseFieldSelector', () => {
  const pod: ApiObject = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name: 'p', namespace: 'ns' },
    spec: { nodeName: 'n1' },
    status: { phase: 'Running' },
  };
  const pods = { storage: 'pods', isCustom: false, selectable: [] };

  it.each([
    ['metadata.name=p', true],
    ['metadata.name!=p', false],
    ['spec.nodeName=n1,status.phase==Running', true],
    ['spec.nodeName=', false],
    ['spec.hostNetwork=false', true],
  ])('%s is %s', (text, expected) => {
    expect(parseFieldSelector(text, pods)?.matches(pod)).toBe(expected);
  });

  it('knows when only one name can match', () => {
    expect(parseFieldSelector('metadata.name=p', pods)?.name).toBe('p');
    expect(parseFieldSelector('metadata.name!=p', pods)?.name).toBeUndefined();
  });

  it('refuses fields a kind does not select by, each in its own words', () => {
    expect(() => parseFieldSelector('data.a=1', { ...pods, storage: 'configmaps' })).toThrow(
      '"data.a" is not a known field selector: only "metadata.name", "metadata.namespace"',
    );
    expect(() => parseFieldSelector('data.a=1', pods)).toThrow('field label not supported: data.a');
    expect(() => parseFieldSelector('nothing', pods)).toThrow(
      "invalid selector: 'nothing'; can't understand 'nothing'",
    );
  });

  it('takes the fields of a definition, and escaped commas', () => {
    const custom = { storage: 'widgets.example.com', isCustom: true, selectable: ['spec.color'] };
    const widget = { ...pod, spec: { color: 'red,blue' } };
    expect(parseFieldSelector('spec.color=red\\,blue', custom)?.matches(widget)).toBe(true);
  });
});
