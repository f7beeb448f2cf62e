import type { ReactElement } from 'react';
import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type { PlannedVolume } from '../../../src/core/operations/index.ts';
import { plural } from '../show/progress-text.ts';
import { Sign } from '../show/sign.tsx';
import styles from './wizard.module.css';

const MAX_SHOWN = 500;

interface PlannedVolumesProps {
  volumes: readonly PlannedVolume[];
  /** `copied`, `restored` */
  done: string;
}

/** Of the claims: whose data would move, by whom, and why that of the others would not. */
export function PlannedVolumes({ volumes, done }: PlannedVolumesProps): ReactElement | null {
  const moved = volumes.filter(({ plugin }) => plugin !== undefined);
  const others = Map.groupBy(
    volumes.filter(({ plugin }) => plugin === undefined),
    ({ reason = 'it is not known why' }) => reason,
  );
  if (volumes.length === 0) return null;
  const bytes = moved.reduce((sum, volume) => sum + (volume.bytes ?? 0), 0);
  return (
    <>
      {moved.length > 0 && (
        <details>
          <summary>
            <Sign kind="ok" /> The data of {plural(moved.length, 'claim')} will be {done}
            {bytes > 0 && `, ${formatBytes(bytes)}`}
          </summary>
          <ul className={styles.items}>
            {moved.slice(0, MAX_SHOWN).map(({ claim, plugin = '', bytes: size, reason }) => (
              <li key={claim}>
                {claim} <span className={styles.dim}>{movedText(plugin, size, reason)}</span>
              </li>
            ))}
            {moved.length > MAX_SHOWN && <li>and more</li>}
          </ul>
        </details>
      )}
      {[...others].map(([reason, group]) => (
        <details key={reason} open={others.size <= 3}>
          <summary>
            <Sign kind="warn" /> The data of {plural(group.length, 'claim')} will not be {done}: {reason}
          </summary>
          <ul className={styles.items}>
            {group.slice(0, MAX_SHOWN).map(({ claim }) => (
              <li key={claim}>{claim}</li>
            ))}
            {group.length > MAX_SHOWN && <li>and {formatCount(group.length - MAX_SHOWN)} more</li>}
          </ul>
        </details>
      ))}
    </>
  );
}

function movedText(plugin: string, bytes: number | undefined, reason: string | undefined): string {
  const parts = [`by ${plugin}`, bytes === undefined ? undefined : formatBytes(bytes), reason];
  return parts.filter((part) => part !== undefined).join(', ');
}
