import { describe, expect, it } from 'vitest';
import { goldenLine } from '../../../test/golden-line.ts';
import { manifests, type Manifest } from '../../../test/manifests.ts';
import type { KubeObject } from '../../api/meta/kube-object.ts';
import { findAdapter, readDetail } from './index.ts';

const NOW = Date.parse('2026-01-31T12:10:00Z');
const FOLDERS = ['test/fixtures/seeds', 'test/fixtures/upstream', 'test/fixtures/objects'] as const;

/** As an API server gives it back. */
function created({ object }: Manifest): KubeObject {
  const metadata = {
    ...object.metadata,
    uid: `uid-${object.metadata.name}`,
    creationTimestamp: '2026-01-31T11:59:00Z',
  };
  return { ...object, metadata };
}

describe.each(FOLDERS)('%s', (folder) => {
  const lines = manifests(folder).flatMap((manifest) => {
    const adapter = findAdapter(manifest.object.kind);
    if (adapter === undefined) return [];
    return [goldenLine(readDetail(adapter, created(manifest), { cluster: 'c', now: NOW }))];
  });

  it('reads as it always did, one line for each example', async () => {
    const name = folder.split('/').at(-1) ?? '';
    await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`../../../test/fixtures/operations/${name}.golden.txt`);
  });
});
