import { isObject, objectAt, textAt, textsAt, type Json } from '../../../base/index.ts';

/** A snapshot in `kopia snapshot list --json`. */
export interface ListedSnapshot {
  id: string;
  /** Where it came from, as `snapshotSource` writes it. */
  source: string;
  /** Why it is not whole: `canceled` or `checkpoint`. */
  incomplete?: string;
  tags: Readonly<Record<string, string>>;
}

/** kopia's ids are hexadecimal; anything else could be an option of its command line. */
const SNAPSHOT_ID = /^[0-9a-f]{16,64}$/;

export function isSnapshotId(text: string): boolean {
  return SNAPSHOT_ID.test(text);
}

const TAG = 'tag:';
/** Our tag with the volume's id: after a kill, nobody else knows whose snapshot it is. */
export const VOLUME_TAG = 'headway-volume';
/** Our tag on the snapshot of checksums: the volume it was taken of. */
export const CHECKSUMS_TAG = 'headway-checksums';

/** The snapshots in a listing; what is not one is left out. */
export function readSnapshots(listing: Json | undefined): ListedSnapshot[] {
  if (!Array.isArray(listing)) return [];
  return listing.filter(isObject).flatMap((entry): ListedSnapshot[] => {
    const id = textAt(entry, 'id');
    if (id === undefined) return [];
    const { host = '', userName = '', path = '' } = textsAt(entry, 'source');
    const incomplete = textAt(entry, 'incomplete');
    const tags = Object.entries(textsAt(objectAt(entry), 'tags')).map(([key, value]) => [withoutPrefix(key), value]);
    const source = `${userName}@${host}:${path}`;
    return [
      {
        id,
        source,
        tags: Object.fromEntries(tags) as Record<string, string>,
        ...(incomplete === undefined ? {} : { incomplete }),
      },
    ];
  });
}

function withoutPrefix(key: string): string {
  return key.startsWith(TAG) ? key.slice(TAG.length) : key;
}

/** What a mover left of a volume that did not become part of a backup: its snapshots, whole or not, and checksums. */
export function leftoversOf(
  id: string,
  snapshots: readonly ListedSnapshot[],
  keep: ReadonlySet<string> = new Set(),
): string[] {
  const isOurs = ({ tags }: ListedSnapshot): boolean => tags[VOLUME_TAG] === id || tags[CHECKSUMS_TAG] === id;
  return snapshots.filter((snapshot) => isOurs(snapshot) && !keep.has(snapshot.id)).map((snapshot) => snapshot.id);
}
