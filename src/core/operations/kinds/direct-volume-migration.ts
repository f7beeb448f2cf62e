import { phaseSentence } from '../../../api/migration/phases.ts';
import { DIRECT_VOLUME_MIGRATION } from '../../../api/resource-types.ts';
import type { KubeObject } from '../../../api/meta/kube-object.ts';
import { cleanText, objectAt, objectsAt, textAt, type JsonObject } from '../../../base/index.ts';
import { exact, exactMean, present, readPercentText, type Measure } from '../../progress/index.ts';
import type { Adapter } from '../adapter.ts';
import { BY_ANNOTATION } from '../cancel-way.ts';
import { migrationOf } from '../parent-ref.ts';
import { migEnd, migState } from './mig-state.ts';

export const directVolumeMigrationAdapter: Adapter = {
  type: DIRECT_VOLUME_MIGRATION,
  noun: 'migration',
  group: 'migration',
  scope: 'migration',
  verbs: ['create', 'cancel', 'delete'],
  did: 'Copied',
  item: 'claim',
  cancel: BY_ANNOTATION,
  afterCancel: 'what was copied by then stays at the destination',
  deletion: { consequence: 'its record goes; what was copied stays at the destination' },
  parent: migrationOf,
  partOf: ['MigMigration'],
  adapt: (object, status) => {
    const claims = claimsOf(object, status);
    return present({
      state: migState(status),
      phase: textAt(status, 'phase') ?? 'New',
      measures: measuresOf(claims),
      percent: exactMean([...claims.percents.values()]),
      endedAt: migEnd(status),
      current: currentOf(status),
      facts: {},
    });
  },
};

interface Claims {
  /** By claim; 100 for what was copied, undefined for what has told nothing. */
  percents: Map<string, number | undefined>;
  ended: number;
}

/** Lists of upstream's status by what they say of the claims in them; a later one wins over an earlier one. */
const LISTS = [
  { fields: ['pendingPods', 'unknownPods', 'pendingSinceTimeLimitPods', 'pendingLiveMigration'], hasEnded: false },
  { fields: ['runningPods', 'runningLiveMigration'], hasEnded: false },
  { fields: ['failedPods', 'failedLiveMigration'], hasEnded: true },
  { fields: ['successfulPods', 'successfulLiveMigration'], hasEnded: true },
];

/** All claims of the spec, and how far each is; nothing is known of any before the first transfer is looked at. */
function claimsOf(object: KubeObject, status: JsonObject): Claims {
  const percents = new Map<string, number | undefined>();
  const ended = new Set<string>();
  for (const { fields, hasEnded } of LISTS) {
    for (const pod of fields.flatMap((field) => objectsAt(status, field))) {
      const claim = claimName(objectAt(pod, 'pvcRef')) ?? claimName(pod);
      if (claim === undefined) continue;
      const isDone = fields.includes('successfulPods');
      percents.set(claim, isDone ? 100 : readPercentText(textAt(pod, 'lastObservedProgressPercent')));
      if (hasEnded) ended.add(claim);
      else ended.delete(claim);
    }
  }
  if (percents.size === 0) return { percents, ended: 0 };
  for (const each of objectsAt(object, 'spec', 'persistentVolumeClaims')) {
    const claim = claimName(each);
    if (claim !== undefined && !percents.has(claim)) percents.set(claim, undefined);
  }
  return { percents, ended: ended.size };
}

function claimName(ref: JsonObject): string | undefined {
  const name = textAt(ref, 'name');
  return name === undefined ? undefined : `${textAt(ref, 'namespace') ?? ''}/${name}`;
}

function measuresOf({ percents, ended }: Claims): Measure[] {
  return percents.size === 0 ? [] : [{ unit: 'items', done: ended, total: exact(percents.size) }];
}

function currentOf(status: JsonObject): string | undefined {
  const phase = textAt(status, 'phase');
  const told = textAt(status, 'phaseDescription') ?? (phase === undefined ? undefined : phaseSentence(phase));
  return told === undefined ? phase : cleanText(told);
}
