/**
 * Which images run as what: pocket has no images, only a table of names.
 * It must never fetch anything.
 */
export { builtinImages, type HeadwayProgram } from './builtin-images.ts';
export { ClusterTable } from './cluster-table.ts';
export { findImage, type FoundImage, type Image, type ImageRow } from './image-table.ts';
export { parseTable } from './table-text.ts';
