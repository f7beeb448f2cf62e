import { KINDS } from './kinds.ts';
import type { AnyKind } from './meta/kind.ts';

/** A place where a seed contradicts upstream or itself: what Headway writes, and what it does with the other form. */
export interface Deviation {
  source: string;
  kind: string;
  found: string;
  written: string;
  reading: string;
}

const seed1 = { source: 'seed 001, example', kind: 'ActionSet' };
const seed0 = { source: 'seed 000', kind: 'MigMigration' };

/** Deviations other than a field under another name. */
const OTHERS: readonly Deviation[] = [
  {
    ...seed1,
    found: '`lastTransitionTime: "2023-02-20T12:448:55Z"`, which is no time',
    written: 'RFC 3339 times',
    reading: 'an API server refuses it; our reader drops the field and says so. The fixture has 12:48:55',
  },
  {
    ...seed1,
    found: 'phase `state: completed`, but set `state: complete` elsewhere',
    written: '`complete`, as Kanister',
    reading: '`completed` reads as `complete`',
  },
  {
    ...seed1,
    found: 'sizes and seconds as text: `sizeUploaded: "50000"`, `estimatedTimeSeconds: "120"`',
    written: 'integers, as Kanister',
    reading: 'both; the CRD says int-or-string',
  },
  {
    source: 'seed 001, struct',
    kind: 'ActionSet',
    found: '`ProgressPercent int64`, but `"30.00"` in the example',
    written: 'text with two decimals that are cut off, not rounded: `"30.00"`, `"43.33"`',
    reading: 'both; the CRD says int-or-string',
  },
  {
    ...seed0,
    found: '`conditions[].progress`, which MTC later dropped for `pipeline[].progress`',
    written: 'both',
    reading: 'as it is',
  },
  {
    ...seed0,
    found: '`status.step`, which MTC later dropped for `pipeline[]`',
    written: 'both',
    reading: 'as it is',
  },
  {
    ...seed0,
    found: 'the step is Restore in the list and ResourceRestore in the mapping',
    written: '`Restore`, as MTC',
    reading: 'any name; steps are text',
  },
  {
    ...seed0,
    found:
      'steps VolumeBackup and VolumeRestore; seed 003: DataBackup or StateBackup; MTC: StageBackup and StageRestore',
    written: '`DataBackup` and `DataRestore`',
    reading: 'any name; steps are text',
  },
  {
    source: 'seed 002, struct',
    kind: 'VolumePluginBackup',
    found: '`phase` and `snapshotID` without omitempty: required',
    written: 'both, as soon as they are known',
    reading: 'optional: a plugin reports before it has a snapshot id',
  },
  {
    source: 'seed 002, struct',
    kind: 'VolumePluginRestore',
    found: '`phase` and `volumeID` without omitempty: required',
    written: 'both, as soon as they are known',
    reading: 'optional: a plugin reports before it has a volume',
  },
  {
    source: 'MTC',
    kind: 'DirectVolumeMigration',
    found: '`status.observedDigest` and `status.phaseDescription` are required',
    written: 'both',
    reading: 'optional, so that a partial status is not refused',
  },
  {
    source: 'Velero, Kanister',
    kind: 'all',
    found: '`status.conditions` and most of `status.progress` do not exist',
    written: 'additions of Headway, see the reference of each kind',
    reading: 'absent on objects that others wrote',
  },
];

/** Every deviation: those above, and the alternative names that kinds accept. */
export function deviations(): Deviation[] {
  return [...OTHERS, ...KINDS.flatMap(namesOf)];
}

function namesOf({ kind, renames }: AnyKind): Deviation[] {
  const rows = new Map<string, Deviation>();
  for (const { at, from, to, source } of renames) {
    const key = `${source} ${from}`;
    const earlier = rows.get(key);
    rows.set(key, {
      source,
      kind,
      found: earlier ? `${earlier.found} and \`${at}\`` : `\`${from}\` in \`${at}\``,
      written: `\`${to}\``,
      reading: `reads as \`${to}\`; the CRD declares it`,
    });
  }
  return [...rows.values()];
}
