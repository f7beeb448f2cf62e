/**
 * Which images run as what: pocket has no images, only a table of names.
 * It must never fetch anything.
 */
export type { HeadwayProgram } from './builtin-images.ts';
export { ClusterTable } from './cluster-table.ts';
export type { FoundImage, Image } from './image-table.ts';
