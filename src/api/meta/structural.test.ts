import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import * as field from './field.ts';
import { toStructural } from './structural.ts';

const only = (schema: z.ZodType) => toStructural(z.object({ x: schema })).properties?.['x'];

describe('toStructural', () => {
  it.each([
    ['text', field.text('Doc.'), { type: 'string', description: 'Doc.' }],
    ['a flag', field.flag('Doc.'), { type: 'boolean', description: 'Doc.' }],
    ['an integer without the bounds of JavaScript', field.integer('Doc.'), { type: 'integer', description: 'Doc.' }],
    ['int64', field.int64('Doc.'), { type: 'integer', format: 'int64', description: 'Doc.' }],
    ['a time', field.time('Doc.'), { type: 'string', format: 'date-time', description: 'Doc.' }],
    ['a duration', field.duration('Doc.'), { type: 'string', description: 'Doc.' }],
    ['an enum', field.oneOf(['a', 'b'], 'Doc.'), { type: 'string', enum: ['a', 'b'], description: 'Doc.' }],
    ['nullable', field.nullable(field.text('Doc.')), { type: 'string', nullable: true, description: 'Doc.' }],
    ['a list', field.texts('Doc.'), { type: 'array', items: { type: 'string' }, description: 'Doc.' }],
    ['a map', field.textMap('Doc.'), { type: 'object', additionalProperties: { type: 'string' }, description: 'Doc.' }],
    [
      'a free-form object',
      field.freeForm('Doc.'),
      { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, description: 'Doc.' },
    ],
    [
      'a number that may be text',
      field.integerOrDigits('Doc.'),
      { 'x-kubernetes-int-or-string': true, pattern: '^\\d+$', description: 'Doc.' },
    ],
  ])('says %s', (_, schema, expected) => {
    expect(only(schema)).toEqual(expected);
  });

  it('keeps bounds that somebody chose', () => {
    expect(only(z.int().min(0).max(100))).toEqual({ type: 'integer', minimum: 0, maximum: 100 });
  });

  it('prunes what an object does not name, and says which fields must be there', () => {
    const schema = field.object({ b: field.text('B.'), a: field.text('A.').optional() }, 'Doc.');
    expect(only(schema)).toEqual({
      type: 'object',
      description: 'Doc.',
      properties: { a: { type: 'string', description: 'A.' }, b: { type: 'string', description: 'B.' } },
      required: ['b'],
    });
  });

  it.each([
    ['a union', z.union([z.string(), z.boolean()])],
    [
      'a discriminated union',
      z.discriminatedUnion('k', [z.object({ k: z.literal('a') }), z.object({ k: z.literal('b') })]),
    ],
    ['anything', z.unknown()],
  ])('refuses %s, naming the place', (_, schema) => {
    expect(() => only(field.object({ deep: z.array(schema) }))).toThrow(
      /schema at x\.deep\[\]: .*(structural|missing)/,
    );
  });
});
