import { parseGoDuration, textAt, valueAt } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/index.ts';
import { TOP_FOLDERS } from '../../../edge/store/index.ts';

const DEFAULT_PERIOD_MS = 60_000;
/** Timestamps have whole seconds; checking more often would only keep the store busy. */
const SHORTEST_PERIOD_MS = 1_000;

/** A period from a spec: Velero's default if absent or not sensible, 0 for never. */
export function periodMs(text: string | undefined): number {
  const ms = text === undefined ? undefined : parseGoDuration(text);
  if (ms === undefined || ms < 0) return DEFAULT_PERIOD_MS;
  return ms === 0 ? 0 : Math.max(ms, SHORTEST_PERIOD_MS);
}

/** When something is due again, in milliseconds from now; undefined for never. */
export function dueInMs(last: string | undefined, everyMs: number, now: number): number | undefined {
  if (last === undefined) return 0;
  if (everyMs === 0) return undefined;
  const passedMs = now - Date.parse(last);
  // A time in the future comes from a clock that was set back.
  return passedMs < 0 ? 0 : Math.max(0, everyMs - passedMs);
}

/** Velero refuses this too: a bucket that is used for other things. */
export function strangerProblem(folders: readonly string[]): string | undefined {
  const strangers = folders.filter((folder) => !TOP_FOLDERS.includes(folder.replace(/\/$/, '')));
  if (strangers.length === 0) return undefined;
  const shown = strangers.slice(0, 5).map((folder) => folder.replace(/\/$/, ''));
  const more = strangers.length > shown.length ? ` and ${strangers.length - shown.length} more` : '';
  return (
    `Backup store contains invalid top-level directories: ${shown.join(', ')}${more}; ` +
    `expected only ${TOP_FOLDERS.join(', ')}, so give the backups a prefix of their own`
  );
}

/**
 * Whether the location becomes or stops being the default; undefined when nothing changes. Of several defaults the
 * youngest stays; if there is none, it is the location with the server's default name.
 */
export function defaultChange(
  location: KubeObject,
  all: readonly KubeObject[],
  defaultName: string,
): boolean | undefined {
  const defaults = all.filter((one) => valueAt(one, 'spec', 'default') === true);
  if (defaults.length === 0) return location.metadata.name === defaultName ? true : undefined;
  const [youngest] = defaults.toSorted((a, b) => byAge(b, a));
  const isDefault = defaults.some((one) => one.metadata.uid === location.metadata.uid);
  return isDefault && youngest?.metadata.uid !== location.metadata.uid ? false : undefined;
}

function byAge(a: KubeObject, b: KubeObject): number {
  const made = (one: KubeObject): string => textAt(one, 'metadata', 'creationTimestamp') ?? '';
  return made(a).localeCompare(made(b)) || a.metadata.name.localeCompare(b.metadata.name);
}
