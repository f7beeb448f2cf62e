import { sha256Hex } from '../../../base/index.ts';
import type { PhaseRef } from '../status/types.ts';

/** What a pod of a function is for; enough to find it again after a restart. */
export interface PodPurpose {
  /** Such as `kanister-job`. */
  prefix: string;
  /** Of the ActionSet. */
  uid: string;
  ref: PhaseRef;
  attempt: number;
  /** Where a phase has several pods: for which. */
  part?: string | undefined;
  /** Counted up if another pod has the name already. */
  salt?: number | undefined;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
/** As many letters as a generated name has, so that tools which know Kanister's pods know ours. */
const SUFFIX = 5;

/** Always the same for the same purpose. */
export function podName({ prefix, uid, ref, attempt, part = '', salt = 0 }: PodPurpose): string {
  const digest = sha256Hex([uid, ref.action, ref.phase, attempt, part, salt].join('/'));
  let number = BigInt(`0x${digest.slice(0, 15)}`);
  let suffix = '';
  for (let left = SUFFIX; left > 0; left -= 1) {
    suffix += LETTERS.charAt(Number(number % 36n));
    number /= 36n;
  }
  return `${prefix}-${suffix}`;
}

/** By which Kanister's users find its pods. */
export const CREATED_BY = { createdBy: 'kanister' } as const;
export const UID_LABEL = 'headway.io/actionset-uid';

type Texts = Readonly<Record<string, string>>;

export interface PodLabels {
  ofActionSet?: Texts | undefined;
  ofBlueprint?: Texts | undefined;
  /** The ActionSet's uid where its pod is in another namespace, and cannot have it for an owner. */
  foreignUid?: string | undefined;
}

/** Labels of a pod: the Blueprint's win over the ActionSet's, and those by which it is found over both. */
export function podLabels({ ofActionSet, ofBlueprint, foreignUid }: PodLabels): Record<string, string> {
  return {
    ...mergedTexts(ofActionSet, ofBlueprint),
    ...CREATED_BY,
    ...(foreignUid !== undefined && { [UID_LABEL]: foreignUid }),
  };
}

/** Annotations too: unlike podOverride, where the ActionSet wins. */
export function mergedTexts(ofActionSet: Texts | undefined, ofBlueprint: Texts | undefined): Record<string, string> {
  return { ...ofActionSet, ...ofBlueprint };
}
