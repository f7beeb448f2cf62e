import { formatBytes, formatCount } from '../../../src/base/index.ts';
import type { Operation } from '../../../src/core/operations/index.ts';

/** What is to be said of a volume besides how far it is: by whom, which attempt, and what had not to be copied. */
export function volumeText({ facts }: Operation): string | undefined {
  const { claim, plugin, attempt, reusedBytes, uploadedBytes, files } = facts;
  const parts = [
    claim,
    plugin === undefined ? undefined : `with ${plugin}`,
    attempt === undefined ? undefined : `attempt ${formatCount(attempt)}`,
    files === undefined ? undefined : `${formatCount(files)} ${files === 1 ? 'file' : 'files'}`,
    reusedBytes === undefined ? undefined : `${formatBytes(reusedBytes)} reused from an earlier backup`,
    uploadedBytes === undefined ? undefined : `${formatBytes(uploadedBytes)} uploaded`,
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(' · ');
}
