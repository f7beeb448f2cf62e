/**
 * Controllers that keep pods alive: deployments, replica sets, stateful sets, daemon sets.
 * They must never look at what a pod does, only at its state.
 */
export { daemonSetController } from './daemon-set.ts';
export { deploymentController } from './deployment.ts';
export { replicaSetController } from './replica-set.ts';
export { statefulSetController } from './stateful-set.ts';
