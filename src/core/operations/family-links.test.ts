import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { labelValue } from '../../base/index.ts';
import { FamilyLinks, type Member } from './family-links.ts';
import { formatOperationId } from './operation-id.ts';
import type { ParentRef } from './parent-ref.ts';

function member(name: string, fields: Partial<Member> = {}): Member {
  const { cluster = 'a', kind = 'Backup', namespace = 'velero', uid = `uid-${name}` } = fields;
  return { id: formatOperationId({ cluster, kind, namespace, name }), cluster, kind, namespace, name, uid };
}
const byUid = (name: string, kind = 'Backup'): ParentRef => ({ kind, uid: `uid-${name}` });
const byName = (name: string, kind = 'Backup'): ParentRef => ({ kind, name });

describe('who is part of whom', () => {
  const parent = member('parent');
  const child = member('child', { kind: 'VolumePluginBackup' });

  it.each([
    ['by uid', byUid('parent')],
    ['by name', byName('parent')],
  ])('is known %s, in whichever order they come', (_, ref) => {
    const links = new FamilyLinks();
    expect(links.put(child, ref)).toEqual([]);
    expect(links.parentOf(child.id)).toBeUndefined();
    expect(links.put(parent, undefined)).toEqual([child.id]);
    expect(links.parentOf(child.id)).toBe(parent.id);
    expect([...links.childrenOf(parent.id)]).toEqual([child.id]);
    expect(links.delete(parent.id)).toEqual([child.id]);
    expect(links.parentOf(child.id)).toBeUndefined();
  });

  it('is not said again when nothing changed', () => {
    const links = new FamilyLinks();
    links.put(child, byUid('parent'));
    links.put(parent, undefined);
    expect([links.put(parent, undefined), links.put(child, byUid('parent'))]).toEqual([[], []]);
  });

  it('follows a uid to another cluster, and stays near where there is a choice', () => {
    const links = new FamilyLinks();
    const far = member('m', { cluster: 'b', kind: 'MigMigration' });
    links.put(child, byUid('m', 'MigMigration'));
    links.put(far, undefined);
    expect(links.parentOf(child.id)).toBe(far.id);
    const near = member('m', { cluster: 'a', kind: 'MigMigration' });
    expect(links.put(near, undefined)).toEqual([child.id]);
    expect(links.parentOf(child.id)).toBe(near.id);
  });

  it('follows a name only within its namespace and cluster, and a uid only to the kind that it means', () => {
    const links = new FamilyLinks();
    links.put(member('parent', { namespace: 'other' }), undefined);
    links.put(member('parent', { cluster: 'b' }), undefined);
    links.put(child, byName('parent'));
    expect(links.parentOf(child.id)).toBeUndefined();
    links.put(member('odd', { kind: 'Restore', uid: 'uid-parent' }), undefined);
    links.put(child, byUid('parent'));
    expect(links.parentOf(child.id)).not.toBe(member('odd', { kind: 'Restore' }).id);
  });

  it('does not take another object of the same name for one that is gone', () => {
    const links = new FamilyLinks();
    links.put(parent, undefined);
    links.put(child, byUid('parent'));
    expect(links.put({ ...parent, uid: 'uid-newer' }, undefined)).toEqual([child.id]);
    expect(links.parentOf(child.id)).toBeUndefined();
  });

  it('finds a name that a label had to cut', () => {
    const links = new FamilyLinks();
    const long = member(`nightly-${'x'.repeat(90)}`);
    links.put(child, byName(labelValue(long.name)));
    expect(links.put(long, undefined)).toEqual([child.id]);
    expect(links.parentOf(child.id)).toBe(long.id);
    links.delete(long.id);
    expect(links.parentOf(child.id)).toBeUndefined();
  });
});

const NAMES = ['a', 'b', 'c', 'd', 'e'];

/** `refs`: those that are there, and whom each names. */
function check(links: FamilyLinks, refs: ReadonlyMap<string, string | undefined>, name: string): void {
  const { id } = member(name);
  const above = links.parentOf(id);
  const wanted = refs.get(name);
  const isThere = wanted !== undefined && refs.has(wanted);
  // Never somebody that it does not name, or that is not there; and no way leads back to itself.
  if (above !== undefined) expect([above, isThere]).toEqual([member(wanted ?? '').id, true]);
  expect(links.isWithin(id, id)).toBe(false);
  for (const below of links.childrenOf(id)) expect(links.parentOf(below)).toBe(id);
  // A parent that is there is missed only where it would close a circle.
  if (isThere && above === undefined) expect(wanted === name || links.isWithin(member(wanted).id, id)).toBe(true);
}

it('cuts every cycle, also that of one that is its own parent, and forgets nothing and nobody', () => {
  const name = fc.constantFrom(...NAMES);
  const change = fc.record({ name, parent: fc.option(name), by: fc.constantFrom('uid', 'name'), isGone: fc.boolean() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 40 }), (changes) => {
      const links = new FamilyLinks();
      const refs = new Map<string, string | undefined>();
      for (const { name: who, parent, by, isGone } of changes) {
        if (isGone) {
          links.delete(member(who).id);
          refs.delete(who);
        } else {
          const ref = parent === null ? undefined : by === 'uid' ? byUid(parent) : byName(parent);
          links.put(member(who), ref);
          refs.set(who, parent ?? undefined);
        }
        for (const each of NAMES) check(links, refs, each);
      }
    }),
    { numRuns: 500 },
  );
});
