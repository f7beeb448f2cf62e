/**
 * Volumes for claims: static ones are bound, others are made as directories.
 * It must never touch a path outside the cluster's own folder of volumes.
 */
export { claimController } from './claim-controller.ts';
export { VolumeDirectories } from './directories.ts';
export { ephemeralClaimController } from './ephemeral-claims.ts';
export { claimProtectionController, volumeProtectionController } from './protection.ts';
export { POCKET_CLASSES } from './storage-classes.ts';
export { volumeController } from './volume-controller.ts';
