import { chmodSync, lstatSync, mkdirSync, readlinkSync, statSync, writeFileSync, type Stats } from 'node:fs';
import { join, posix } from 'node:path';
import { AppError } from '../../../base/index.ts';
import { resolveInRoot } from './resolve.ts';

/** A folder of the container, and where its files are on the machine. */
export interface Place {
  /** `/`, `/usr`, or where a volume is mounted. */
  at: string;
  /** Where what is written to it goes; undefined where nothing can be written. */
  upper: string | undefined;
  /** What shines through from below. */
  lower?: string;
}

/**
 * A container's tree before it is mounted: which file of the machine a path will be. What must be there for a mount is
 * made through it, so that the launcher only mounts.
 */
export class Places {
  readonly #places: Place[];

  constructor(places: readonly Place[]) {
    this.#places = [...places];
  }

  add(place: Place): void {
    this.#places.push(place);
  }

  /** Where the path leads when links are followed inside the container. */
  resolve(path: string): string {
    const resolved = resolveInRoot(path, (one) => this.#readLink(one));
    if (resolved === undefined) throw new AppError('invalid', `${path} is a loop of links`);
    return resolved;
  }

  /** Makes a folder, or an empty file, where there is none. The path is resolved already. */
  ensure(path: string, kind: 'folder' | 'file', mode = kind === 'folder' ? 0o755 : 0o644): void {
    const isThere = this.#look(path);
    if (isThere !== undefined) {
      if (isThere.isDirectory() !== (kind === 'folder')) {
        throw new AppError('invalid', `${path} is ${kind === 'folder' ? 'not a folder' : 'a folder, not a file'}`);
      }
      return;
    }
    if (path !== '/') this.ensure(posix.dirname(path), 'folder');
    const { place, rest } = this.#placeOf(path);
    if (place.upper === undefined)
      throw new AppError('invalid', `${path} cannot be made: nothing can be written there`);
    this.#makeParents(place, posix.dirname(rest));
    const file = join(place.upper, rest);
    if (kind === 'folder') mkdirSync(file, { recursive: true });
    else writeFileSync(file, '');
    // Whatever the umask is.
    chmodSync(file, mode);
  }

  /** A file of the machine that stands for this path now, if there is one. */
  fileOf(path: string): string | undefined {
    const { place, rest } = this.#placeOf(this.resolve(path));
    return [place.upper, place.lower]
      .filter((base) => base !== undefined)
      .map((base) => join(base, rest))
      .find((file) => statOf(file) !== undefined);
  }

  /** A folder that shines through from below keeps its mode when it gets an upper side. */
  #makeParents({ upper, lower }: Place, rest: string): void {
    if (upper === undefined || statOf(join(upper, rest)) !== undefined || rest === '/') return;
    this.#makeParents({ at: '', upper, ...(lower === undefined ? {} : { lower }) }, posix.dirname(rest));
    const below = lower === undefined ? undefined : statOf(join(lower, rest));
    mkdirSync(join(upper, rest), { recursive: true });
    if (below?.isDirectory()) chmodSync(join(upper, rest), below.mode & 0o7777);
  }

  #placeOf(path: string): { place: Place; rest: string } {
    let best: Place | undefined;
    for (const place of this.#places) {
      const isInside = place.at === '/' || path === place.at || path.startsWith(`${place.at}/`);
      // The later one of two at the same path is mounted over the other.
      if (isInside && (best === undefined || place.at.length >= best.at.length)) best = place;
    }
    if (best === undefined) throw new AppError('bug', `no place has ${path}`);
    return { place: best, rest: best.at === '/' ? path : path.slice(best.at.length) || '/' };
  }

  #readLink(path: string): string | undefined {
    const { place, rest } = this.#placeOf(path);
    for (const base of [place.upper, place.lower]) {
      if (base === undefined) continue;
      const facts = lstatOf(join(base, rest));
      if (facts !== undefined) return facts.isSymbolicLink() ? readlinkSync(join(base, rest)) : undefined;
    }
    return undefined;
  }

  #look(path: string): Stats | undefined {
    const { place, rest } = this.#placeOf(path);
    const upper = place.upper === undefined ? undefined : statOf(join(place.upper, rest));
    return upper ?? (place.lower === undefined ? undefined : statOf(join(place.lower, rest)));
  }
}

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false });
}

function lstatOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}
