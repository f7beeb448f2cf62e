import { isObjectName, sha256Hex } from '../../../base/index.ts';

const MAX_NAME = 253;
const OWN_HEX = 10;
const FOREIGN_CHARACTERS = 50;
const FOREIGN_HEX = 8;

/**
 * The id of a volume in a backup, and the name of its objects: `shop-1-0a1b2c3d4e`. It is known before the work begins
 * and always the same, so that a restarted server finds what it made.
 */
export function volumeId(backup: { name: string; uid: string }, volume: string): string {
  return withHash(backup.name, sha256Hex(`${volume}/${backup.uid}`).slice(0, OWN_HEX));
}

/** Whether an id may be that of a volume in a backup of this name: who knows both need not believe who says so. */
export function isVolumeIdOf(id: string, backup: string): boolean {
  return /-[0-9a-f]{10}$/.test(id) && withHash(backup, id.slice(-OWN_HEX)) === id;
}

/** The id of a volume in a restore, which writes into a claim. */
export function volumeRestoreId(restore: { name: string; uid: string }, claim: string): string {
  return withHash(restore.name, sha256Hex(`${claim}/${restore.uid}`).slice(0, OWN_HEX));
}

/**
 * The name of the object for the snapshot of another's plugin. An id that may be a name is the name; of any other, the
 * first allowed characters and a hash. The exact id is in status.snapshotID.
 */
export function nameForSnapshot(snapshotID: string): string {
  if (isObjectName(snapshotID)) return snapshotID;
  const allowed = snapshotID.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '');
  return withHash(allowed.slice(0, FOREIGN_CHARACTERS), sha256Hex(snapshotID).slice(0, FOREIGN_HEX));
}

function withHash(text: string, hash: string): string {
  // A name may not begin with a dot or a dash, and a part of it between dots may not end with one.
  const head = text.slice(0, MAX_NAME - hash.length - 1).replace(/^[.-]+/, '');
  const name = `${head.replace(/[.-]+$/, '')}-${hash}`;
  return isObjectName(name) ? name : `snapshot-${hash}`;
}
