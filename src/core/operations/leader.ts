import { formatDuration, textAt, valueAt } from '../../base/index.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';

/** The Lease by which one Headway leads, in the namespace of the backups. */
export const LEADER_LEASE = 'headway';

const DEFAULT_DURATION_SECONDS = 15;

/** What a Lease tells of the process that leads. */
export interface LeaderSign {
  isHeld: boolean;
  /** Another text with every sign of life. */
  sign: string;
  /** How long the holder may be silent. */
  durationMs: number;
  /** Milliseconds since 1970, by the clock of the holder. */
  renewedAt?: number;
}

export function readLeaderSign(lease: KubeObject): LeaderSign {
  const holder = textAt(lease, 'spec', 'holderIdentity') ?? '';
  const renewTime = textAt(lease, 'spec', 'renewTime') ?? '';
  const seconds = valueAt(lease, 'spec', 'leaseDurationSeconds');
  const renewedAt = Date.parse(renewTime);
  return {
    isHeld: holder !== '',
    sign: `${holder} ${renewTime}`,
    durationMs: (typeof seconds === 'number' ? seconds : DEFAULT_DURATION_SECONDS) * 1000,
    ...(Number.isNaN(renewedAt) ? {} : { renewedAt }),
  };
}

/** Why nothing goes on in a cluster: nobody leads there, or never has. */
export function silenceText(since: { seconds: number } | { neverIn: string }): string {
  const how =
    'seconds' in since
      ? `no leader for ${formatDuration(since.seconds)}`
      : `namespace ${since.neverIn} has never had a leader`;
  return `no Headway answers in this cluster (${how})`;
}
