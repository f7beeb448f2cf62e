import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { resultsBomb } from '../../../test/results-bomb.ts';
import { isAppError, stringifyJson } from '../../base/index.ts';
import { getJson } from './get-json.ts';
import type { Store } from './port.ts';

const LIMITS = { isGzipped: true, maxBytes: 5000, maxValues: 100 };

const packed = fc.oneof(fc.json({ maxDepth: 6 }), fc.string({ maxLength: 20_000 })).map((text) => gzipSync(text));
const damaged = fc
  .tuple(packed, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }), fc.nat(100))
  .map(([bytes, changes, length]) => {
    const copy = Buffer.from(bytes);
    for (const [at, byte] of changes) copy[at % copy.length] = byte;
    return copy.subarray(0, Math.max(length, copy.length - length));
  });
const several = fc.array(packed, { maxLength: 3 }).map((all) => Buffer.concat(all));

it('reads any bytes that call themselves gzip, or refuses them with the right word', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(packed, damaged, several, fc.uint8Array()),
      fc.integer({ min: 1, max: 4000 }),
      fc.boolean(),
      async (bytes, part, mayCut) => {
        async function* body(): AsyncGenerator<Uint8Array> {
          for (let at = 0; at < bytes.length; at += part) yield await Promise.resolve(bytes.subarray(at, at + part));
        }
        const get = (): unknown => Promise.resolve({ body: body() });
        try {
          const found = await getJson({ where: 'x', get } as unknown as Store, 'a', { ...LIMITS, mayCut });
          expect(stringifyJson(found?.value).length).toBeLessThan(3 * LIMITS.maxBytes);
        } catch (error) {
          expect(isAppError(error, 'invalid', 'tooLarge'), String(error)).toBe(true);
          if (mayCut) expect(isAppError(error, 'tooLarge')).toBe(false);
        }
      },
    ),
    { numRuns: fuzzRuns(200), examples: [[resultsBomb(), 4000, true]] },
  );
}, 600_000);
