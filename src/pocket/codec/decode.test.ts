import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, parseJson, stringifyJson, type JsonObject } from '../../base/index.ts';
import { BUILTINS } from '../builtins/index.ts';
import { decodeProtobuf, isProtobuf } from './index.ts';

const FIXTURES = join(import.meta.dirname, '../../../test/fixtures');
const FILLED = join(FIXTURES, 'protobuf');
const names = readdirSync(FILLED).filter((name) => name.endsWith('.pb'));
const filled = (name: string): Uint8Array => readFileSync(join(FILLED, name));
const sparse = readFileSync(join(FIXTURES, 'pocket/protobuf-sparse.jsonl'), 'utf8')
  .trim()
  .split('\n')
  .map((line) => parseJson(line) as { pb: string; json: JsonObject });

/** Only AppError may come out of hostile input, and it must come out at once. */
function decodeSafely(bytes: Uint8Array): void {
  try {
    decodeProtobuf(bytes);
  } catch (error) {
    expect(error).toBeInstanceOf(AppError);
    expect((error as AppError).code).toBe('usage');
  }
}

const text = (value: string): number[] => [...Buffer.from(value)];
const field = (number: number, bytes: number[]): number[] => {
  const length = bytes.length < 128 ? [bytes.length] : [(bytes.length & 0x7f) | 0x80, bytes.length >> 7];
  return [(number << 3) | 2, ...length, ...bytes];
};
const envelope = (apiVersion: string, kind: string, raw: number[]): Uint8Array =>
  Uint8Array.from([
    ...text('k8s\0'),
    ...field(1, [...field(1, text(apiVersion)), ...field(2, text(kind))]),
    ...field(2, raw),
  ]);

describe('decodeProtobuf', () => {
  it('has a filled upstream object of every kind that is served', () => {
    const kinds = BUILTINS.map((type) => `${type.group || 'core'}.${type.version}.${type.kind}.pb`);
    expect(kinds.filter((name) => !names.includes(name))).toEqual([]);
  });

  it.each(names)('reads %s exactly', (name) => {
    const expected = parseJson(readFileSync(join(FILLED, name.replace(/pb$/, 'json')), 'utf8'));
    expect(decodeProtobuf(filled(name))).toEqual(expected);
  });

  it('writes unset fields and zero values like Go, in the order of the struct', () => {
    for (const { pb, json } of sparse) {
      const decoded = decodeProtobuf(Buffer.from(pb, 'base64'));
      expect(decoded).toEqual(json);
      expect(stringifyJson(decoded)).toBe(stringifyJson(json));
    }
  });

  it('knows DeleteOptions under every group', () => {
    const bytes = envelope('apps/v1', 'DeleteOptions', [0x08, 0x00]);
    expect(decodeProtobuf(bytes)).toEqual({ kind: 'DeleteOptions', apiVersion: 'apps/v1', gracePeriodSeconds: 0 });
  });

  it('keeps a key named __proto__ as data', () => {
    const entry = [...field(1, text('__proto__')), ...field(2, text('x'))];
    const decoded = decodeProtobuf(envelope('v1', 'ConfigMap', field(2, entry)));
    expect(stringifyJson(decoded['data'])).toBe('{"__proto__":"x"}');
  });

  it.each([
    ['nothing', new Uint8Array()],
    ['JSON', Buffer.from('{"kind":"Pod"}')],
    ['no kind', Buffer.from('k8s\0')],
    ['an unknown kind', envelope('example.com/v1', 'Foo', [])],
    ['a length past the end', envelope('v1', 'Pod', [0x0a, 0x7f])],
    ['an endless number', envelope('v1', 'Pod', Array<number>(12).fill(0xff))],
    ['a group', envelope('v1', 'Pod', [0x0b])],
    ['a number where an object belongs', envelope('v1', 'Pod', [0x08, 0x01])],
    [
      'a time without a form',
      envelope('v1', 'Pod', field(1, field(8, [0x08, ...Array<number>(9).fill(0xff), 0x01].slice(0, 10)))),
    ],
  ])('refuses %s', (_name, bytes) => {
    expect(() => decodeProtobuf(bytes)).toThrow(AppError);
  });

  it('refuses nesting that would exhaust the stack', () => {
    let schema: number[] = [];
    // JSONSchemaProps.not is field 28, a schema in a schema.
    for (let depth = 0; depth < 2000; depth++) {
      const length = schema.length;
      const varint = [];
      for (let rest = length; ; rest = Math.floor(rest / 128)) {
        varint.push(rest < 128 ? rest : (rest % 128) | 0x80);
        if (rest < 128) break;
      }
      schema = [0xe2, 0x1, ...varint, ...schema];
    }
    const wrap = (number: number, bytes: number[]): number[] => {
      const size = bytes.length;
      return [(number << 3) | 2, (size & 0x7f) | 0x80, ((size >> 7) & 0x7f) | 0x80, size >> 14, ...bytes];
    };
    const raw = wrap(2, wrap(7, wrap(4, wrap(1, schema))));
    const head = field(1, [
      ...field(1, text('apiextensions.k8s.io/v1')),
      ...field(2, text('CustomResourceDefinition')),
    ]);
    const bytes = Uint8Array.from([...text('k8s\0'), ...head, ...wrap(2, raw)]);
    expect(() => decodeProtobuf(bytes)).toThrow(/nested deeper/);
  });

  it('only ever throws AppError for random bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (raw) => {
        decodeSafely(envelope('v1', 'Pod', [...raw].slice(0, 120)));
      }),
    );
  });

  it('only ever throws AppError for broken real objects', () => {
    const objects = names.map(filled);
    const breakage = fc.record({
      object: fc.nat(objects.length - 1),
      at: fc.nat(),
      byte: fc.nat(255),
      cut: fc.nat(),
      isCut: fc.boolean(),
    });
    fc.assert(
      fc.property(breakage, ({ object, at, byte, cut, isCut }) => {
        const bytes = Uint8Array.from(objects[object]!);
        bytes[4 + (at % (bytes.length - 4))] = byte;
        decodeSafely(isCut ? bytes.subarray(0, cut % bytes.length) : bytes);
      }),
      { numRuns: 500 },
    );
  });
});

describe('isProtobuf', () => {
  it('looks at the first four bytes', () => {
    expect(isProtobuf(Buffer.from('k8s\0…'))).toBe(true);
    expect(isProtobuf(Buffer.from('k8s'))).toBe(false);
    expect(isProtobuf(Buffer.from('{}'))).toBe(false);
  });
});
