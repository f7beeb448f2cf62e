import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { parseJson, type JsonObject } from '../src/base/index.ts';
import { VELERO_LAYOUT } from '../src/core/backup/index.ts';
import type { ItemKey } from '../src/core/progress/index.ts';
import { collect } from './collect.ts';

const FIXTURES = new URL('./fixtures/velero/', import.meta.url);

/** What real Velero 1.18.3 wrote and restored (test/fixtures/velero). */
export interface RecordedRestore {
  /** In the order of the archive. */
  items: readonly { key: ItemKey; item: JsonObject }[];
  /** A file of the bucket, gunzipped and parsed. */
  json(path: string): unknown;
  /** Every object of namespace shop2 as that restore left it. */
  restored: readonly JsonObject[];
}

export async function recordedRestore(): Promise<RecordedRestore> {
  const bucket = await tarFiles(await readFile(new URL('velero-1.18.3-bucket.tar.gz', FIXTURES)));
  const archive = await tarFiles(bucket.get('backups/shop-1/shop-1.tar.gz')!);
  const items = [...archive].flatMap(([path, bytes]) => {
    const key = VELERO_LAYOUT.itemAt(path);
    return key === undefined ? [] : [{ key, item: parseJson(bytes.toString()) as JsonObject }];
  });
  const after = gunzipSync(await readFile(new URL('velero-1.18.3-restored-shop2.json.gz', FIXTURES)));
  return {
    items,
    json: (path) => parseJson(gunzipSync(bucket.get(path)!).toString()),
    restored: (parseJson(after.toString()) as { items: JsonObject[] }).items,
  };
}

async function tarFiles(tarball: Uint8Array): Promise<Map<string, Buffer>> {
  const tar = extract();
  tar.end(gunzipSync(tarball));
  const files = new Map<string, Buffer>();
  for await (const entry of tar) {
    const chunks = await collect(entry as AsyncIterable<Uint8Array>);
    if (entry.header.type === 'file') files.set(entry.header.name.replace('./', ''), Buffer.concat(chunks));
  }
  return files;
}
