import type { FindingTexts } from '../../operation/index.ts';

export const FINDING_TEXTS: FindingTexts = {
  error: 'not everything is in the backup',
  warning: 'the backup may lack something',
};
