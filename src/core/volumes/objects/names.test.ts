import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { isObjectName } from '../../../base/index.ts';
import { isVolumeIdOf, nameForSnapshot, volumeId, volumeRestoreId } from './names.ts';

const backup = { name: 'shop-1', uid: '3e6d' };

describe('ids of Headway', () => {
  it('tell of which backup they may be, and of which not', () => {
    const names = fc.stringMatching(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/).filter(isObjectName);
    fc.assert(
      fc.property(names, names, fc.string(), (name, other, volume) => {
        const id = volumeId({ name, uid: 'u' }, volume);
        expect(isVolumeIdOf(id, name)).toBe(true);
        // Names that are cut off are the same from there on.
        if (other !== name && name.length < 200 && other.length < 200) expect(isVolumeIdOf(id, other)).toBe(false);
      }),
    );
    expect(isVolumeIdOf('shop-1', 'shop')).toBe(false);
  });

  it('are the name of the backup and a hash of volume and backup', () => {
    expect(volumeId(backup, 'pvc-1')).toMatch(/^shop-1-[0-9a-f]{10}$/);
    expect(volumeId(backup, 'pvc-1')).toBe(volumeId({ ...backup }, 'pvc-1'));
    const others = [volumeId(backup, 'pvc-2'), volumeId({ ...backup, uid: 'other' }, 'pvc-1')];
    expect(others).not.toContain(volumeId(backup, 'pvc-1'));
    expect(volumeRestoreId({ name: 'r', uid: 'u' }, 'shop/data')).toMatch(/^r-[0-9a-f]{10}$/);
  });

  it('are names of objects, also of backups with the longest names', () => {
    const long = { name: `${'a.'.repeat(126)}a`, uid: 'u' };
    expect(long.name).toHaveLength(253);
    const id = volumeId(long, 'v');
    expect([id.length <= 253, isObjectName(id)]).toEqual([true, true]);
  });
});

describe('names for ids of other plugins', () => {
  it.each([
    ['snap-0123456789abcdef0', 'snap-0123456789abcdef0'],
    ['projects/p/global/snapshots/Shop-1', /^projectspglobalsnapshotsshop-1-[0-9a-f]{8}$/],
    ['ABC', /^abc-[0-9a-f]{8}$/],
    ['x'.repeat(300), /^x{50}-[0-9a-f]{8}$/],
    ['---', /^snapshot-[0-9a-f]{8}$/],
    ['', /^snapshot-[0-9a-f]{8}$/],
    ['スナップ', /^snapshot-[0-9a-f]{8}$/],
  ])('%s', (id, name) => {
    expect(nameForSnapshot(id)).toEqual(typeof name === 'string' ? name : expect.stringMatching(name));
  });

  it('are names of objects whatever the id is, and another id has another name', () => {
    fc.assert(
      fc.property(anyText({ maxLength: 300 }), anyText({ maxLength: 300 }), (id, other) => {
        expect(isObjectName(nameForSnapshot(id))).toBe(true);
        // Upper and lower case, and characters that are left out, must not make two snapshots one.
        if (id.isWellFormed() && other.isWellFormed() && id !== other) {
          expect(nameForSnapshot(id)).not.toBe(nameForSnapshot(other));
        }
      }),
    );
    expect(nameForSnapshot('Snap')).not.toBe(nameForSnapshot('SNAP'));
  });
});
