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

/** A phase that may have a pod, and how often it was tried. */
export interface PodPhase {
  ref: PhaseRef;
  attempt: number;
}

/** How many names were tried because others had them. */
const MAX_SALT = 4;

/** The phase whose pod has this name; undefined for one that Kanister named, and for one of several of its phase. */
export function phaseOfPod<Phase extends PodPhase>(
  name: string,
  uid: string,
  phases: readonly Phase[],
): Phase | undefined {
  const prefix = name.slice(0, -SUFFIX - 1);
  const isNamed = ({ ref, attempt }: PodPhase, salt: number): boolean =>
    podName({ prefix, uid, ref, attempt, salt }) === name;
  const salts = Array.from({ length: MAX_SALT + 1 }, (_, salt) => salt);
  return phases.find((phase) => salts.some((salt) => isNamed(phase, salt)));
}

type Texts = Readonly<Record<string, string>>;

/** Labels and annotations: the Blueprint's win over the ActionSet's, unlike podOverride, where the ActionSet wins. */
export function mergedTexts(ofActionSet: Texts | undefined, ofBlueprint: Texts | undefined): Record<string, string> {
  return { ...ofActionSet, ...ofBlueprint };
}
