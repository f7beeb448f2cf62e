/** DESIGN §8: how any operation is asked to stop. */
export const CANCEL_ANNOTATION = 'headway.io/cancel';
/** On a Restore: the name of an earlier one; only what failed there is restored. */
export const RETRY_ANNOTATION = 'headway.io/retry-of';
/** On a Backup or Restore: the SHA-256 of every file of its volumes is recorded, or compared with what was recorded. */
export const VERIFY_ANNOTATION = 'headway.io/verify-volumes';
