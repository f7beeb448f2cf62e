import type { ContentsAnswer } from '../../../src/core/operations/index.ts';
import type { RestoreDraft } from './restore-draft.ts';

/** What every step of the wizard is given. */
export interface StepProps {
  backupId: string;
  draft: RestoreDraft;
  contents: ContentsAnswer;
  change: (change: Partial<RestoreDraft>) => void;
}
