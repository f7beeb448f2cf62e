/**
 * Why a pod does not start or was ended, as functions of what the cluster says: no request is made here.
 * It must never guess: what it does not recognize it does not explain.
 */
export { claimNames } from './claims.ts';
export { diagnosePod } from './diagnose-pod.ts';
export { diagnosisError, podText, type ClaimSituation, type PodDiagnosis, type Situation } from './diagnosis.ts';
export { diagnoseEnded, killed } from './ended.ts';
export { diagnoseRefusal } from './refusal.ts';
