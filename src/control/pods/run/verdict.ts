import { diagnosisError, type PodDiagnosis } from '../diagnosis/index.ts';

/** A Secret, a claim or an account may come a moment after the pod: caches and controllers are a little behind. */
const GIVE_UP_MS = 8_000;

/** Decides when a pod that cannot succeed is given up. */
export class Verdict {
  #hopelessSince: number | undefined;

  /** Throws the diagnosis once it has been hopeless for too long, whatever its words were meanwhile. */
  judge(diagnosis: PodDiagnosis | undefined, now: number): void {
    if (diagnosis?.outlook !== 'hopeless') {
      this.#hopelessSince = undefined;
      return;
    }
    this.#hopelessSince ??= now;
    if (now - this.#hopelessSince >= GIVE_UP_MS) throw diagnosisError(diagnosis);
  }
}
