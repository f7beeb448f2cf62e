import { AppError, cleanText, textAt, type ErrorCode, type JsonObject } from '../../../base/index.ts';
import type { Diagnosis } from '../../../core/progress/index.ts';

/** Why a pod does not get on, and what a person can do about it. */
export interface PodDiagnosis extends Diagnosis {
  /** One word for a condition, Kubernetes' own where it has one: `Unschedulable`. */
  reason: string;
  /**
   * `hopeless`: it stays so until somebody changes something. `open`: it may still come by itself. `over`: the pod has
   * ended, and not because its program did.
   */
  outlook: 'hopeless' | 'open' | 'over';
  /** Of the error when the pod is given up; `invalid` if absent. */
  code?: ErrorCode;
}

/** Everything that is known about a pod. What could not be read is absent. */
export interface Situation {
  pod: JsonObject;
  /** Those about the pod, in any order. */
  events?: readonly JsonObject[];
  /** The claims that it mounts, by name. */
  claims?: ReadonlyMap<string, ClaimSituation | 'missing'>;
  /** The one it is bound to. */
  node?: JsonObject | 'missing';
}

export interface ClaimSituation {
  claim: JsonObject;
  events: readonly JsonObject[];
}

/** Events and statuses hold whatever a registry, a driver or a webhook said. */
const MAX_SAID = 600;

export function said(text: string | undefined): string {
  return cleanText((text ?? '').trim(), MAX_SAID);
}

/** `pod shop/db-0`. */
export function podText(pod: JsonObject): string {
  return `pod ${textAt(pod, 'metadata', 'namespace') ?? ''}/${textAt(pod, 'metadata', 'name') ?? ''}`;
}

export function diagnosisError({ cause, hint, reason, code = 'invalid' }: PodDiagnosis): AppError {
  return new AppError(code, cause, { details: { reason, hint } });
}
