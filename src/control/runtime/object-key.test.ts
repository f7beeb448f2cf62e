import { describe, expect, it } from 'vitest';
import { objectKey, splitKey } from './object-key.ts';

describe('object keys', () => {
  it.each([
    [{ namespace: 'velero', name: 'b1' }, 'velero/b1'],
    [{ name: 'pv-1' }, 'pv-1'],
  ])('%o is %s and back', (metadata, key) => {
    expect(objectKey({ metadata })).toBe(key);
    expect(splitKey(key)).toEqual(metadata);
  });
});
