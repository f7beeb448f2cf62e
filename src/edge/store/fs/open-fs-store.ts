import { realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { AppError, messageOf } from '../../../base/index.ts';
import type { Store } from '../port.ts';
import { Settings } from '../settings.ts';
import { shown } from '../shown.ts';
import { FsStore, type FsLimits } from './fs-store.ts';
import { fileProblem, FsTree } from './fs-tree.ts';

export interface FsOptions {
  /** Every store of this kind must be below it. */
  root: string | undefined;
  bucket: string;
  config: Readonly<Record<string, string>>;
  limits: FsLimits;
}

/** The store in `<root>/<config.path>/<bucket>`; the path may also be absolute if it is below the root. */
export async function openFsStore({ limits, ...place }: FsOptions): Promise<Store> {
  const { root, parts } = await fsPlace(place);
  return new FsStore(new FsTree(root), parts, limits);
}

/** Where such a store is, as an absolute path. */
export async function fsDirectory(place: Omit<FsOptions, 'limits'>): Promise<string> {
  const { root, parts } = await fsPlace(place);
  return resolve(root, ...parts);
}

async function fsPlace({
  root,
  bucket,
  config,
}: Omit<FsOptions, 'limits'>): Promise<{ root: string; parts: string[] }> {
  const settings = new Settings('settings of a headway.io/fs location', config, ['path']);
  const path = settings.text('path') ?? '';
  if (root === undefined) settings.problem('stores in directories are not enabled, start with --fs-root');
  const way = root === undefined ? '' : wayBelow(root, path);
  if (way === undefined) settings.problem(`path: expected one below ${root ?? ''}, got ${shown(path)}`);
  const problem = bucket.includes('/') ? 'it contains a slash' : fileProblem(bucket);
  if (problem !== undefined) settings.problem(`bucket ${shown(bucket)}: ${problem}`);
  settings.check();
  const parts = (way ?? '').split('/').filter((part) => part !== '');
  return { root: await realRoot(root ?? ''), parts: [...parts, bucket] };
}

function wayBelow(root: string, path: string): string | undefined {
  if (path === '') return '';
  if (path.includes('\0')) return undefined;
  const way = relative(resolve(root), isAbsolute(path) ? resolve(path) : resolve(root, path));
  if (way === '' || isAbsolute(way)) return way === '' ? '' : undefined;
  const key = way.split(sep).join('/');
  return fileProblem(key) === undefined ? key : undefined;
}

/** The administrator's own directory may be a link; nothing below it may. */
async function realRoot(root: string): Promise<string> {
  try {
    return await realpath(root);
  } catch (error) {
    throw new AppError('unreachable', `use ${root} for stores: ${messageOf(error)}`, { cause: error });
  }
}
