import type { JsonObject } from '../../../base/index.ts';
import type { Condition, KubeObject, LabelSelector, Meta } from './meta.ts';
import type { PodTemplate } from './pod.ts';

export interface JobSpec extends JsonObject {
  parallelism?: number;
  completions?: number;
  completionMode?: string;
  backoffLimit?: number;
  /** An int64, so it may be beyond what a number holds. */
  activeDeadlineSeconds?: number | bigint;
  ttlSecondsAfterFinished?: number;
  suspend?: boolean;
  selector?: LabelSelector;
  template: PodTemplate;
}

export interface JobStatus extends JsonObject {
  active?: number;
  ready?: number;
  terminating?: number;
  succeeded?: number;
  failed?: number;
  startTime?: string;
  completionTime?: string;
  completedIndexes?: string;
  conditions?: Condition[];
  uncountedTerminatedPods?: { succeeded?: string[]; failed?: string[] };
}

export interface Job extends KubeObject {
  spec: JobSpec;
  status?: JobStatus;
}

export interface CronJob extends KubeObject {
  spec: {
    schedule: string;
    timeZone?: string;
    startingDeadlineSeconds?: number | bigint;
    concurrencyPolicy?: string;
    suspend?: boolean;
    successfulJobsHistoryLimit?: number;
    failedJobsHistoryLimit?: number;
    jobTemplate: { metadata?: Partial<Meta>; spec: JobSpec };
  };
  status?: { active?: JsonObject[]; lastScheduleTime?: string; lastSuccessfulTime?: string };
}
