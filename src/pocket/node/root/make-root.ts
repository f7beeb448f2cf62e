import { existsSync, lstatSync, mkdirSync, readlinkSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bind, mountTable, type Mount } from './mount-table.ts';
import { Places, type Place } from './places.ts';
import { baseMounts, DEVICES, FOLDERS, LINKS, SYSTEM_FOLDERS } from './skeleton.ts';

/** A file or folder of the machine that a container sees somewhere. */
export interface Bind {
  source: string;
  target: string;
  isReadOnly: boolean;
}

/** What a root is made from: the machine's own programs, or one folder. */
export type RootBase = { kind: 'machine' } | { kind: 'folder'; path: string };

/** Where the changes of a container go: to the disk, into memory where the disk cannot be a layer, or nowhere. */
export type LayerKind = 'disk' | 'memory' | 'none';

export interface RootOptions {
  /** The container's own folder, empty; `root` in it becomes the root. */
  dir: string;
  base: RootBase;
  layer: LayerKind;
  /** Of the machine, not only of a user namespace. */
  isRoot: boolean;
  binds: readonly Bind[];
  /** Links the image has besides. */
  links: readonly (readonly [path: string, target: string])[];
  /** Made where they are missing, for everybody to write to. */
  folders: readonly string[];
  /** Made where it is missing. */
  workingDir: string;
  isReadOnly: boolean;
  /** Folders of the machine that are not to be seen, wherever they are. */
  masks: readonly string[];
}

/** The file with the container's mounts, in its folder. */
const MOUNT_TABLE = 'mounts';
/** The folder with the container's changes, in its folder. */
const LAYER = 'layer';
/** What takes its place in memory. */
const MEMORY = 'memory';

/**
 * Writes everything that a container's root needs before it is mounted, and the table of its mounts. Returns where the
 * working directory is once its links are followed.
 */
export function makeRoot(options: RootOptions): string {
  const { dir, binds, isReadOnly } = options;
  const root = join(dir, 'root');
  mkdirSync(root, { recursive: true });
  mkdirSync(join(dir, MEMORY), { recursive: true });
  const { places, mounts } = options.base.kind === 'machine' ? machineBase(options) : folderBase(options, options.base);
  for (const [path, mode] of FOLDERS) places.ensure(places.resolve(`/${path}`), 'folder', mode);
  for (const name of DEVICES) places.ensure(`/dev/${name}`, 'file');
  for (const folder of options.folders) places.ensure(places.resolve(folder), 'folder', 0o777);
  mounts.push(...baseMounts(root, options.isRoot), ...maskMounts(options));
  // Shorter ones first, so that what is mounted inside another is not hidden by it.
  for (const { source, target, isReadOnly: isFixed } of binds.toSorted((a, b) => a.target.length - b.target.length)) {
    const resolved = places.resolve(target);
    places.ensure(resolved, statSync(source).isDirectory() ? 'folder' : 'file');
    mounts.push(bind(source, `${root}${resolved}`, isFixed));
    places.add({ at: resolved, upper: isFixed ? undefined : source, ...(isFixed ? { lower: source } : {}) });
  }
  const workingDir = places.resolve(options.workingDir);
  places.ensure(workingDir, 'folder');
  if (isReadOnly) mounts.push({ source: root, target: root, type: 'none', options: 'remount,bind,ro' });
  writeFileSync(join(dir, MOUNT_TABLE), mountTable(mounts));
  return workingDir;
}

/** An empty folder over each folder that shines through from the machine and is none of a pod's business. */
function maskMounts({ dir, base, masks }: RootOptions): Mount[] {
  const empty = join(dir, 'empty');
  mkdirSync(empty, { recursive: true });
  const isShown = (path: string): boolean => SYSTEM_FOLDERS.some((name) => path.startsWith(`/${name}/`));
  const shown = base.kind === 'machine' ? masks.filter((path) => isShown(path) && existsSync(path)) : [];
  return shown.map((path) => bind(empty, join(dir, 'root', path), true));
}

interface Base {
  places: Places;
  mounts: Mount[];
}

function machineBase(options: RootOptions): Base {
  const { dir, layer, isReadOnly } = options;
  const root = join(dir, 'root');
  const mounts = [bind(root, root, false)];
  const places: Place[] = [{ at: '/', upper: root }];
  for (const name of SYSTEM_FOLDERS) {
    const facts = lstatSync(`/${name}`, { throwIfNoEntry: false });
    if (facts?.isSymbolicLink()) symlinkSync(readlinkSync(`/${name}`), join(root, name));
    if (!facts?.isDirectory()) continue;
    mkdirSync(join(root, name));
    mounts.push(
      layer === 'none' ? bind(`/${name}`, join(root, name), true) : overlay(options, `/${name}`, name, isReadOnly),
    );
    const upper = layer === 'none' ? undefined : upperOf(dir, name);
    places.push({ at: `/${name}`, upper, lower: `/${name}` });
  }
  for (const [path, target] of [...LINKS, ...options.links]) link(join(root, path), target, places, path);
  return { places: new Places(places), mounts };
}

function folderBase(options: RootOptions, { path }: { path: string }): Base {
  const { dir, isReadOnly } = options;
  // Bound first, so that nothing in its name means anything to the overlay.
  const lower = join(dir, 'lower');
  mkdirSync(lower);
  const root = overlay(options, 'lower', '', isReadOnly);
  const upper = upperOf(dir, '');
  const places: Place[] = [{ at: '/', upper, lower: path }];
  for (const [from, target] of [...LINKS, ...options.links]) {
    if (lstatSync(join(path, from), { throwIfNoEntry: false }) === undefined) link(join(upper, from), target, [], from);
  }
  return { places: new Places(places), mounts: [bind(path, lower, false), root] };
}

/** A link of a root; where a layer has that path, in the layer. */
function link(file: string, target: string, places: readonly Place[], path: string): void {
  const inside = places.find(({ at }) => at !== '/' && `/${path}`.startsWith(`${at}/`));
  const where = inside?.upper === undefined ? file : join(inside.upper, path.slice(inside.at.length));
  if (lstatSync(where, { throwIfNoEntry: false }) !== undefined) return;
  mkdirSync(dirname(where), { recursive: true });
  symlinkSync(target, where);
}

function layerPath(name: string): string {
  return name === '' ? 'all' : name;
}

function upperOf(dir: string, name: string): string {
  const path = join(dir, LAYER, layerPath(name), 'u');
  mkdirSync(path, { recursive: true });
  return path;
}

/** Paths in its options are relative, because a comma or a colon in a name would end them. */
function overlay({ dir, layer, isRoot }: RootOptions, lower: string, name: string, isReadOnly: boolean): Mount {
  mkdirSync(join(dir, LAYER, layerPath(name), 'w'), { recursive: true });
  const at = `${layer === 'memory' ? MEMORY : LAYER}/${layerPath(name)}`;
  const options = [`lowerdir=${lower}`, `upperdir=${at}/u`, `workdir=${at}/w`];
  if (!isRoot) options.push('userxattr');
  if (isReadOnly) options.push('ro');
  return { source: 'overlay', target: join(dir, 'root', name), type: 'overlay', options: options.join(',') };
}
