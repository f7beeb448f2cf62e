/** `npm run image`: makes the images `busybox` and `headway` without Docker, and loads them into every bed with nodes that is up. */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { IMAGE_NAMES, imageArchive } from '../test/bed/image/index.ts';
import { loadIntoBeds } from '../test/bed/image/load.ts';

const unpacked = spawnSync('bash', [join(import.meta.dirname, 'debian.sh'), 'node', 'image'], { stdio: 'inherit' });
if (unpacked.status !== 0) throw new Error('make images: the Debian packages in them could not be fetched');
const signal = AbortSignal.timeout(10 * 60_000);
for (const name of IMAGE_NAMES) {
  const started = Date.now();
  const { path, made } = await imageArchive(name, signal);
  const size = `${(statSync(path).size / 1e6).toFixed(0)} MB`;
  console.log(
    `${name}: ${made ? 'made' : 'unchanged'}, ${size}, ${((Date.now() - started) / 1000).toFixed(1)} s, ${path}`,
  );
  for (const bed of await loadIntoBeds(path, signal)) console.log(`${name}: loaded into ${bed}`);
}
