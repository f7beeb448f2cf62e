/**
 * What every cluster and every namespace has without anybody asking.
 * It must never change what a user made of it, but for the certificate authority.
 */
export { householdController } from './namespace-household.ts';
export { createStandingObjects } from './standing-objects.ts';
