/**
 * What single built-in kinds do beyond their schema when they are written: allocate, complete, start a status.
 * Such rules must never wait, and never write other objects.
 */
import { definitionRules } from './custom-resource-definition.ts';
import { daemonSetRules } from './daemon-set.ts';
import { jobRules } from './job.ts';
import type { KindRules } from './kind-rules.ts';
import { namespaceRules } from './namespace.ts';
import { podRules } from './pod.ts';
import { secretRules } from './secret.ts';
import { serviceRules } from './service.ts';
import { claimRules, volumeRules } from './volumes.ts';

/** By the store's table. */
export const KIND_RULES: Readonly<Record<string, KindRules>> = {
  namespaces: namespaceRules,
  pods: podRules,
  secrets: secretRules,
  services: serviceRules,
  persistentvolumeclaims: claimRules,
  persistentvolumes: volumeRules,
  'daemonsets.apps': daemonSetRules,
  'jobs.batch': jobRules,
  'customresourcedefinitions.apiextensions.k8s.io': definitionRules,
};

export type { KindContext } from './kind-rules.ts';
