/**
 * Container images without Docker: made from Debian packages, the bed's programs and this checkout, for the nodes of the bed.
 * It must never fetch anything itself, and equal contents must give equal bytes.
 */
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../cache.ts';
import { type Image, keyOf, writeArchive } from './archive.ts';
import { busyboxImages } from './busybox.ts';
import { headwayImages } from './headway.ts';

export type ImageName = 'busybox' | 'headway';
export const IMAGE_NAMES: readonly ImageName[] = ['busybox', 'headway'];

/** Holds the namespaces of a pod; comes with `busybox`. */
export const PAUSE = 'headway.test/pause:1';

const KEPT = 4;

/** The file with the image as it would be made now; made only where its contents changed. */
export async function imageArchive(name: ImageName, signal: AbortSignal): Promise<{ path: string; made: boolean }> {
  const images = await contents(name, signal);
  const path = join(cacheDirectory(), `image-${name}-${keyOf(images)}.tar`);
  const made = !existsSync(path);
  if (made) await writeArchive(path, images);
  else utimesSync(path, new Date(), new Date());
  removeOld(name);
  return { path, made };
}

async function contents(name: ImageName, signal: AbortSignal): Promise<Image[]> {
  return name === 'busybox' ? busyboxImages(PAUSE) : await headwayImages(signal);
}

/** Every change of the sources makes another file of a quarter of a gigabyte. */
function removeOld(name: ImageName): void {
  const ours = new RegExp(`^image-${name}-[0-9a-f]{12}\\.tar$`);
  const archives = readdirSync(cacheDirectory())
    .filter((file) => ours.test(file))
    .map((file) => join(cacheDirectory(), file))
    .map((path) => ({ path, used: statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .toSorted((a, b) => b.used - a.used);
  for (const { path } of archives.slice(KEPT)) rmSync(path, { force: true });
}
