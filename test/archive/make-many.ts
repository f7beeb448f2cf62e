/** Writes an archive of very many entries to standard output: `node make-many.ts COUNT NAME_LENGTH`. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { VELERO_LAYOUT } from '../../src/core/backup/index.ts';
import { TarBlock } from '../../src/edge/archive/tar-block.ts';

const [count = 0, nameLength = 0] = process.argv.slice(2).map(Number);

function* tar(): Generator<Uint8Array> {
  const block = new TarBlock(512 * 1024, 0);
  for (let at = 0; at < count; at += 1) {
    const namespace = `shop-${at % 500}`;
    const name = `item-${at}-`.padEnd(nameLength, 'x');
    const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace } };
    const [path = ''] = VELERO_LAYOUT.pathsOf({ groupResource: 'configmaps', namespace, name }, 'v1');
    block.add([path], JSON.stringify(object));
    if (!block.isFull) continue;
    yield Buffer.from(block.bytes);
    block.clear();
  }
  block.end();
  yield block.bytes;
}

await pipeline(Readable.from(tar()), createGzip({ level: 1 }), process.stdout);
