import { describe, expect, it } from 'vitest';
import { backupSpecOf, draftOfSpec, hasOtherHooks } from './backup-draft.ts';

const exec = (command: string) => ({
  exec: { container: 'db', command: ['/bin/sh', '-c', command], onError: 'Continue' },
});
const SPEC = {
  includedNamespaces: ['shop'],
  labelSelector: { matchLabels: { app: 'shop' }, matchExpressions: [{ key: 'tier', operator: 'Exists' }] },
  ttl: '48h0m0s',
  storageLocation: 'offsite',
  snapshotVolumes: false,
  hooks: {
    resources: [{ name: 'form', labelSelector: { matchLabels: { app: 'db' } }, pre: [exec('a')], post: [exec('b')] }],
  },
};

describe('the form of a backup', () => {
  it('shows a spec and writes the same one, with what it does not ask about', () => {
    expect(backupSpecOf(draftOfSpec(SPEC), SPEC)).toEqual(SPEC);
  });

  it.each([undefined, true, false])('writes what was said about volumes, %s, and nothing where nothing was', (all) => {
    const spec = { ttl: '24h0m0s', ...(all === undefined ? {} : { defaultVolumesToFsBackup: all }) };
    expect(backupSpecOf(draftOfSpec(spec), spec)).toEqual(spec);
    expect(backupSpecOf({ ...draftOfSpec(spec), volumes: 'default' }, spec)).toEqual({ ttl: '24h0m0s' });
  });

  it('takes hooks out when their commands are emptied', () => {
    const draft = draftOfSpec(SPEC);
    const spec = backupSpecOf({ ...draft, hook: { ...draft.hook, before: '', after: '' } }, SPEC);
    expect(spec).not.toHaveProperty('hooks');
  });

  it.each([
    [{ resources: [SPEC.hooks.resources[0], SPEC.hooks.resources[0]] }],
    [{ resources: [{ name: 'theirs', pre: [{ exec: { command: ['/freeze', 'now'] } }] }] }],
  ])('leaves hooks alone that it cannot show: %j', (hooks) => {
    const spec = { ttl: '24h0m0s', hooks } as never;
    expect(hasOtherHooks(spec)).toBe(true);
    expect(backupSpecOf(draftOfSpec(spec), spec)).toEqual(spec);
  });
});
