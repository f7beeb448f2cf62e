import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { extract, pack } from 'tar-stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { collect } from '../../../test/collect.ts';
import { SHORT_STEP_MS, watchingLoop } from '../../../test/event-loop.ts';
import { fuzzRuns } from '../../../test/fuzz-runs.ts';
import { paxBomb, paxRecord, TAR_END, tarEntry } from '../../../test/hostile-tar.ts';
import { isAppError } from '../../base/index.ts';
import { VELERO_LAYOUT } from '../../core/backup/archive-layout.ts';
import { openArchive } from './reader.ts';
import { TarReader } from './tar-reader.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'headway-fuzz-'));
});
afterAll(() => rm(directory, { recursive: true }));

const CAMPAIGN_MS = 600_000;

interface File {
  name: string;
  text: string;
}

/** The files in a tar, read in parts of that length. */
function filesIn(tar: Buffer, length: number): File[] {
  const reader = new TarReader(({ name }) => name);
  const files: File[] = [];
  for (let at = 0; at < tar.length; at += length) {
    for (const { wanted, bytes } of reader.push(tar.subarray(at, at + length))) {
      files.push({ name: wanted, text: bytes.toString() });
    }
  }
  reader.end();
  return files;
}

const name = fc.oneof(
  fc.stringMatching(/^[a-z][a-z/]{0,250}[a-z]$/),
  fc.stringMatching(/^[a-zé😀]{1,120}$/u),
  fc.constant('resources/configmaps/namespaces/shop/a.json'),
);
const file = fc.record({ name, text: fc.string({ maxLength: 2000 }) });

it(
  'finds in any tar what another reader of it finds, in parts of any length',
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 8 }), fc.integer({ min: 1, max: 3000 }), async (files, length) => {
        const packed = pack();
        for (const { name: path, text } of files) packed.entry({ name: path }, text);
        packed.finalize();
        const tar = Buffer.concat(await collect(packed as AsyncIterable<Uint8Array>));
        expect(filesIn(tar, length)).toEqual(files);
        const other = extract();
        other.end(tar);
        const names: string[] = [];
        for await (const entry of other) {
          names.push(entry.header.name);
          entry.resume();
        }
        expect(names).toEqual(files.map((each) => each.name));
      }),
      { numRuns: fuzzRuns(50) },
    );
  },
  CAMPAIGN_MS,
);

const item = JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', namespace: 'shop' } });
// Entries of every type, with bytes that are meaningful in some of them.
const entry = fc
  .tuple(
    fc.oneof(name, fc.string({ maxLength: 90 })),
    fc.oneof(
      fc.uint8Array({ maxLength: 1500 }),
      fc.constant(Buffer.from(item)),
      fc
        .tuple(fc.constantFrom('path', 'size', 'linkpath', 'x'), fc.string())
        .map(([key, value]) => Buffer.from(paxRecord(key, value))),
      fc.constant(Buffer.from('1.1.0\n')),
    ),
    fc.constantFrom('0', '\0', '1', '2', '5', '7', 'x', 'x', 'L', 'K', 'g', 'S', 'Z'),
  )
  .map(([path, bytes, type]) => tarEntry(path, bytes, type));
const change = fc.tuple(fc.nat(), fc.nat(255));
const damaged = fc
  .tuple(fc.array(entry, { maxLength: 6 }), fc.array(change, { maxLength: 5 }), fc.nat(20_000))
  .map(([entries, changes, length]) => {
    const tar = Buffer.concat([...entries, TAR_END]);
    for (const [at, byte] of changes) tar[at % tar.length] = byte;
    return tar.subarray(0, Math.max(length, tar.length - 2000));
  });

it(
  'refuses any damaged archive, or reads it, and leaves nothing behind',
  async () => {
    const trying = fc.assert(
      fc.asyncProperty(fc.oneof(damaged, fc.uint8Array({ maxLength: 3000 })), fc.boolean(), async (tar, isGzip) => {
        const bytes = isGzip ? gzipSync(tar) : tar;
        async function* source() {
          yield await Promise.resolve(bytes);
        }
        const options = { layout: VELERO_LAYOUT, spoolPath: join(directory, 'spool') };
        try {
          const archive = await openArchive(source(), options);
          for await (const key of archive.entries()) await archive.read(key);
          await archive.close();
        } catch (error) {
          expect(isAppError(error, 'invalid', 'tooLarge', 'unsupported'), String(error)).toBe(true);
        }
        expect(await readdir(directory)).toEqual([]);
      }),
      { numRuns: fuzzRuns(150), examples: [[paxBomb(), true]] },
    );
    const before = process.memoryUsage.rss();
    const { stepMs } = await watchingLoop(() => trying);
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200 * 1024 ** 2);
  },
  CAMPAIGN_MS,
);
