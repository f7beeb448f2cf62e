import type { ReactElement } from 'react';
import { formatBytes } from '../../../src/base/index.ts';
import type { OperationFacts } from '../../../src/core/operations/index.ts';
import { When } from '../show/when.tsx';

/** What a volume that is restored was in its backup, also where that was taken in another cluster or is deleted. */
export function BackedUp({ volume }: { volume: NonNullable<OperationFacts['backedUp']> }): ReactElement {
  const { claim, bytes, at } = volume;
  return (
    <>
      backed up from {claim}
      {bytes !== undefined && `, ${formatBytes(bytes)}`}
      {at !== undefined && (
        <>
          , <When time={at} />
        </>
      )}
    </>
  );
}
