import type { ItemKey } from '../../core/progress/index.ts';

/** Where items stand in an archive. The format is the caller's (core/backup has Velero's); this folder only moves bytes. */
export interface ArchiveLayout {
  /** The first entry of every archive. */
  readonly version: {
    readonly path: string;
    readonly text: string;
    /** Whether an archive of another version can be read, and what may be missed then. */
    check(version: string): { problem?: string; warning?: string };
  };
  /** Every path an item is stored at, with the same bytes. */
  pathsOf(item: ItemKey, version: string): readonly string[];
  /** The item at a path; undefined for what a reader passes over, such as the copies by version. */
  itemAt(path: string): ItemKey | undefined;
}
