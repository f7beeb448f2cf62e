/**
 * Questions about rights and identities. There is one administrator: roles are stored and shown, not enforced.
 * It must never store what it was asked.
 */
export { isReview, review, type ReviewDeps } from './reviews.ts';
