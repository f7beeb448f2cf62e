import type { ItemKey } from '../../core/progress/index.ts';

/**
 * The paths of items in an archive. The caller defines the format (core/backup has Velero's); this folder only moves
 * bytes.
 */
export interface ArchiveLayout {
  /** The first entry of every archive. */
  readonly version: {
    readonly path: string;
    readonly text: string;
    /** Whether an archive of another version can be read, and what may be missed in it. */
    check(version: string): { problem?: string; warning?: string };
  };
  /** Every path at which an item is stored, with the same bytes. */
  pathsOf(item: ItemKey, version: string): readonly string[];
  /** The item at a path; undefined for paths that a reader skips, such as the per-version copies. */
  itemAt(path: string): ItemKey | undefined;
}
