/** DESIGN §8: how any operation is asked to stop. */
export const CANCEL_ANNOTATION = 'headway.io/cancel';
/** On a Restore: the name of an earlier one; only what failed there is restored. */
export const RETRY_ANNOTATION = 'headway.io/retry-of';
