/** What an operation can be doing (law 9), in the order in which it usually does. */
export const STAGES = [
  'discovering',
  'listing',
  'downloading',
  'checking',
  'collecting',
  'archiving',
  'restoring',
  'volumes',
  'uploading',
  'finalizing',
] as const;
export type Stage = (typeof STAGES)[number];
