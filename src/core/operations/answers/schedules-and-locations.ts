import type { JsonObject } from '../../../base/index.ts';

/** `GET /api/schedules` */
export interface SchedulesAnswer {
  schedules: ScheduleRow[];
}

export interface ScheduleRow {
  cluster: string;
  namespace: string;
  name: string;
  schedule: string;
  phase: string;
  isPaused: boolean;
  lastBackupAt?: string;
  /** When it would run next; absent when paused, refused or unknown. */
  nextBackupAt?: string;
  /** Id of its newest backup's operation. */
  lastBackup?: string;
  problems: string[];
  object: JsonObject;
}

/** `GET /api/locations` */
export interface LocationsAnswer {
  locations: LocationRow[];
}

export interface LocationRow {
  cluster: string;
  namespace: string;
  name: string;
  provider: string;
  bucket: string;
  prefix?: string;
  isDefault: boolean;
  isReadOnly: boolean;
  phase: 'Available' | 'Unavailable' | 'Unknown';
  /** Why it cannot be used. */
  message?: string;
  lastValidatedAt?: string;
  lastSyncedAt?: string;
  backups: number;
  /** Total size of the completed backups that Headway has measured. */
  bytes: number;
}
