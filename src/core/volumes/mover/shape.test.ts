import { describe, expect, expectTypeOf, it } from 'vitest';
import { flag, list, literal, object, oneOf, optional, text, texts, textThat, whole, type ShapeOf } from './shape.ts';

const cat = object({
  kind: literal('cat'),
  name: text({ min: 1, max: 5 }),
  lives: optional(whole({ min: 0, max: 9 })),
  isFed: optional(flag),
});
const dog = object({
  kind: literal('dog'),
  toys: list(
    textThat((toy) => toy.startsWith('a '), 'a toy'),
    { max: 2 },
  ),
});
const pet = oneOf('kind', { cat, dog });
const tags = texts(/^[a-z_]+$/, text({ max: 3 }));

describe('the shape of a value', () => {
  it('is the type of what has it', () => {
    expectTypeOf<ShapeOf<typeof cat>>().toEqualTypeOf<{
      kind: 'cat';
      name: string;
      lives?: number | undefined;
      isFed?: boolean | undefined;
    }>();
    const tom = { kind: 'cat', name: 'Tom', lives: 9, isFed: false };
    expect(pet(tom, '')).toEqual(tom);
    expect(pet({ kind: 'dog', toys: ['a ball'] }, '')).toEqual({ kind: 'dog', toys: ['a ball'] });
    expect(tags({ a: 'x', b: '' }, '')).toEqual({ a: 'x', b: '' });
  });

  it.each<[unknown, string]>([
    [{ kind: 'cat', name: '' }, 'name: expected a text of 1 to 5 characters'],
    [{ kind: 'cat', name: 'Thomas' }, 'name: expected a text of 1 to 5 characters'],
    [{ kind: 'cat' }, 'name: expected a text of 1 to 5 characters'],
    [{ kind: 'cat', name: 'Tom', lives: -1 }, 'lives: expected a whole number from 0 to 9'],
    [{ kind: 'cat', name: 'Tom', lives: 10 }, 'lives: expected a whole number from 0 to 9'],
    [{ kind: 'cat', name: 'Tom', lives: 0.5 }, 'lives: expected a whole number from 0 to 9'],
    [{ kind: 'cat', name: 'Tom', lives: '9' }, 'lives: expected a whole number from 0 to 9'],
    [{ kind: 'cat', name: 'Tom', isFed: 1 }, 'isFed: expected true or false'],
    [{ kind: 'cat', name: 'Tom', isFed: null }, 'isFed: expected true or false'],
    [{ kind: 'cat', name: 'Tom', owner: 'x' }, 'owner: expected no such field'],
    [{ kind: 'dog', toys: ['a ball', 'ball'] }, 'toys.1: expected a toy'],
    [{ kind: 'dog', toys: ['a 1', 'a 2', 'a 3'] }, 'toys: expected a list of at most 2'],
    [{ kind: 'dog', toys: { length: 0 } }, 'toys: expected a list of at most 2'],
    [{ kind: 'fox' }, 'kind: expected cat or dog'],
    [{ kind: 'toString' }, 'kind: expected cat or dog'],
    [Object.create({ kind: 'cat', name: 'Tom' }), 'kind: expected cat or dog'],
    [[], 'it: expected an object'],
    [null, 'it: expected an object'],
    ['cat', 'it: expected an object'],
  ])('is not that of %j', (value, message) => {
    expect(() => pet(value, '')).toThrow(message);
  });

  it('says where it does not fit, and takes no names of Object for fields', () => {
    expect(() => tags({ A: 'x' }, 'tags')).toThrow('tags: expected keys like');
    expect(() => tags({ a: 'long' }, 'tags')).toThrow('tags.a: expected a text of 0 to 3 characters');
    const hostile = JSON.parse('{"kind":"cat","name":"Tom","__proto__":{"lives":99}}') as unknown;
    expect(() => pet(hostile, '')).toThrow('__proto__: expected no such field');
    expect(tags(JSON.parse('{"__proto__":"x"}'), '')).not.toHaveProperty('polluted');
    expect(() => object({ inner: cat })({ inner: { kind: 'cat' } }, '')).toThrow('inner.name: expected');
  });
});
