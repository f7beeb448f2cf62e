import type { JsonObject } from '../../../base/index.ts';
import type { BuiltinType } from '../../builtins/index.ts';
import type { FieldError } from '../field-error.ts';
import { cronJobRule, jobRule } from './batch.ts';
import { configMapRule, secretRule } from './config.ts';
import { definitionRule } from './crd.ts';
import { ingressClassRule, ingressRule } from './ingress.ts';
import { dnsLabel, pathSegment, subdomain, validateMetadata, type NameRule } from './names.ts';
import { networkPolicyRule } from './network-policy.ts';
import {
  autoscalerRule,
  budgetRule,
  eventRule,
  fixedParts,
  leaseRule,
  priorityClassRule,
  roleBindingRule,
  roleRule,
} from './other.ts';
import { podRule } from './pod.ts';
import type { Rule } from './rule.ts';
import { serviceRule } from './service.ts';
import { claimRule, storageClassRule, volumeRule } from './volume.ts';
import { daemonSetRule, deploymentRule, replicaSetRule, statefulSetRule } from './workload.ts';

/** By `group/Kind`. Kinds without an entry are judged by their metadata only. */
const RULES: Readonly<Record<string, Rule>> = {
  '/ConfigMap': configMapRule,
  '/Secret': secretRule,
  '/PersistentVolumeClaim': claimRule,
  '/PersistentVolume': volumeRule,
  '/Service': serviceRule,
  '/Pod': podRule,
  '/Event': eventRule,
  'apps/Deployment': deploymentRule,
  'apps/ReplicaSet': replicaSetRule,
  'apps/DaemonSet': daemonSetRule,
  'apps/StatefulSet': statefulSetRule,
  'batch/Job': jobRule,
  'batch/CronJob': cronJobRule,
  'storage.k8s.io/StorageClass': storageClassRule,
  'rbac.authorization.k8s.io/Role': roleRule,
  'rbac.authorization.k8s.io/ClusterRole': roleRule,
  'rbac.authorization.k8s.io/RoleBinding': roleBindingRule,
  'rbac.authorization.k8s.io/ClusterRoleBinding': roleBindingRule,
  'scheduling.k8s.io/PriorityClass': priorityClassRule,
  'coordination.k8s.io/Lease': leaseRule,
  'policy/PodDisruptionBudget': budgetRule,
  'autoscaling/HorizontalPodAutoscaler': autoscalerRule,
  'networking.k8s.io/Ingress': ingressRule,
  'networking.k8s.io/IngressClass': ingressClassRule,
  'networking.k8s.io/NetworkPolicy': networkPolicyRule,
  'node.k8s.io/RuntimeClass': fixedParts(['handler']),
  'discovery.k8s.io/EndpointSlice': fixedParts(['addressType']),
  'apps/ControllerRevision': fixedParts(['data']),
  'apiextensions.k8s.io/CustomResourceDefinition': definitionRule,
};

const NAME_RULES: Readonly<Record<string, NameRule>> = {
  '/Namespace': dnsLabel,
  '/Service': dnsLabel,
  'apps/StatefulSet': dnsLabel,
  'rbac.authorization.k8s.io/Role': pathSegment,
  'rbac.authorization.k8s.io/ClusterRole': pathSegment,
  'rbac.authorization.k8s.io/RoleBinding': pathSegment,
  'rbac.authorization.k8s.io/ClusterRoleBinding': pathSegment,
};

/**
 * The rules of the real server that users meet most, with its messages; it has many more. The object must have passed
 * the type check and been defaulted. `old` is the stored object of an update.
 */
export function validateBuiltin(type: BuiltinType, object: JsonObject, old?: JsonObject): FieldError[] {
  const key = `${type.group}/${type.kind}`;
  // Reviews are answered, not stored: they have no name.
  if (!type.verbs.includes('get')) return [];
  return [
    ...validateMetadata(object, { namespaced: type.namespaced, name: NAME_RULES[key] ?? subdomain }),
    ...(RULES[key]?.(object, old) ?? []),
  ];
}

/** Custom resources are named like most built-in kinds. */
export function validateCustomMetadata(object: JsonObject, namespaced: boolean): FieldError[] {
  return validateMetadata(object, { namespaced, name: subdomain, isCustom: true });
}
