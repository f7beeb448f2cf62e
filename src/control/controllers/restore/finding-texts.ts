import type { FindingTexts } from '../../operation/index.ts';

export const FINDING_TEXTS: FindingTexts = {
  error: 'not everything is restored',
  warning: 'the restore may lack something',
};
