import type { Adapter } from '../adapter.ts';
import { backupOf, restoreOf } from '../parent-ref.ts';

type Way = Pick<Adapter, 'did' | 'afterCancel' | 'deletion' | 'parent' | 'partOf'>;

/** What all kinds that copy a volume for a backup have in common, whoever does it. */
export const SAVING: Way = {
  did: 'Copied',
  afterCancel: 'what was copied of the volume is not used, and its backup is without this data',
  deletion: { consequence: 'the record goes; the copy of the volume stays until its backup is deleted' },
  parent: backupOf,
  partOf: ['Backup'],
};

/** And all that bring one back. */
export const BRINGING_BACK: Way = {
  did: 'Restored',
  afterCancel: 'the volume stays incomplete',
  deletion: { consequence: 'the record goes; the restored volume stays' },
  parent: restoreOf,
  partOf: ['Restore'],
};
