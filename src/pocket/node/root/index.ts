/**
 * The file tree of a container: which files of the machine it is made of and what is mounted into it.
 * It must never start a process, and never write outside the container's folder and its volumes.
 */
export { makeRoot, type Bind, type LayerKind, type RootBase } from './make-root.ts';
export { removeFiles, removeTree } from './remove-tree.ts';
export { resolveInRoot } from './resolve.ts';
