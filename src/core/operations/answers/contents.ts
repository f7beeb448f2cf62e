/** An object in an archive or in a cluster. */
export interface ItemName {
  /** `services`, `deployments.apps` */
  resource: string;
  namespace?: string;
  name: string;
}

/** `GET /api/backups/:id/contents` */
export interface ContentsAnswer {
  /** Of all items, for the tree; items without a namespace first. */
  groups: { namespace?: string; resource: string; count: number }[];
  /** The matching items, in the order of the archive, at most 1000 per page. */
  items: ItemName[];
  /** Number of matching items. */
  total: number;
  continue?: string;
  /** Entries that are not the objects their paths name. */
  problems: string[];
}

/** `GET /api/backups/:id/item` */
export interface ItemAnswer extends ItemName {
  yaml: string;
  /** True when values were replaced by asterisks. */
  isMasked: boolean;
}

/** `GET /api/backups/:id/volumes`: what the files of the backup tell of its volumes. */
export interface VolumesAnswer {
  volumes: StoredVolume[];
}

/** A volume whose data is in a backup, or was to be. */
export interface StoredVolume {
  id: string;
  /** `namespace/name`, where it is known. */
  claim?: string;
  /** Whose repository has it, for kopia. */
  namespace?: string;
  /** `stream`, `kopia`, or the name of a native plugin. */
  plugin: string;
  phase: string;
  bytes?: number;
  /** What the plugin calls it. */
  snapshot?: string;
  completedAt?: string;
  /** Why it failed. */
  message?: string;
}

/** `GET /api/backups/:id/volumes/files` */
export interface VolumeFilesAnswer {
  volume: StoredVolume;
  /** In the order of the archive, or of their paths, at most `limit` of them. */
  files: VolumeFile[];
  continue?: string;
  /** What people should know about the list, such as that it is not whole. */
  notes?: string[];
  /** They are still being listed, and there are none yet: ask again. A caller that does not ask for 15 s has given up. */
  listing?: FilesListing;
}

/** How far a mover is that lists the files of a volume. */
export interface FilesListing {
  seconds: number;
  entries: number;
  /** What it waits for: its turn, or its pod. */
  waitsFor?: string;
}

export interface VolumeFile {
  path: string;
  type: 'file' | 'link' | 'symlink' | 'directory';
  bytes: number;
  /** Permissions, as a number. */
  mode: number;
  modifiedAt: string;
  /** Of a link. */
  target?: string;
}

/** `GET /api/backups/:id/diff`: the changes that turn the backup's state into the other one. */
export interface DiffAnswer {
  with: string;
  added: ItemName[];
  removed: ItemName[];
  changed: ChangedItem[];
  /** Items that are equal. */
  equal: number;
  /** True when there are more differences than are listed; the counts include everything. */
  isCut: boolean;
  counts: { added: number; removed: number; changed: number };
  /** What could not be compared, such as kinds that may not be read. */
  problems: string[];
}

export interface ChangedItem extends ItemName {
  fields: FieldChange[];
}

export interface FieldChange {
  /** `spec.replicas`, `spec.ports[0].port` */
  path: string;
  /** As JSON; absent where the field does not exist. */
  before?: string;
  after?: string;
}

/** `POST /api/backups/:id/verify` */
export interface VerifyAnswer {
  ok: boolean;
  /** Absent when none was recorded. */
  sha256Expected?: string;
  sha256Found: string;
  entries: number;
  problems: string[];
  /** For a backup with a newer format version; absent when there is nothing to warn about. */
  warnings?: string[];
}
