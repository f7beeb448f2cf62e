/**
 * Which pods stand behind a service or a disruption budget.
 * It must never change a pod.
 */
export { disruptionBudgetController } from './disruption-budget.ts';
export { endpointsController } from './endpoints-controller.ts';
