import { expect, it } from 'vitest';
import { BackupStorageLocation } from '../../../api/index.ts';
import { VELERO_DEFAULTS } from '../../../core/backup/index.ts';
import type { Kube, KubeObject, ListOptions, Page, Target } from '../../../edge/kube/index.ts';
import { prepareBackup } from './prepare.ts';

const options = { namespace: 'velero', defaults: VELERO_DEFAULTS, signal: new AbortController().signal };
const backup = {
  apiVersion: 'velero.io/v1',
  kind: 'Backup',
  metadata: { name: 'b' },
  spec: { storageLocation: 'new' },
};
const location: KubeObject = {
  ...{ apiVersion: 'velero.io/v1', kind: 'BackupStorageLocation' },
  ...{ metadata: { name: 'new' }, spec: { provider: 'aws' } },
};

/** An API server whose cache does not have some locations yet, unless it is asked for the newest version. */
function cluster(
  atHand: KubeObject[],
  newest: KubeObject[],
  labelledAtHand: KubeObject[] = [],
): { kube: Kube; asked: (string | undefined)[] } {
  const asked: (string | undefined)[] = [];
  async function* list({ type }: Target, { resourceVersion }: ListOptions = {}): AsyncGenerator<Page> {
    const known: Record<string, KubeObject[]> =
      resourceVersion === '0'
        ? { [BackupStorageLocation.kind]: atHand, Namespace: labelledAtHand }
        : { [BackupStorageLocation.kind]: newest };
    const items = known[type.kind] ?? [];
    asked.push(resourceVersion);
    yield await Promise.resolve({ items, resourceVersion: '1', restarted: false });
  }
  return { kube: { list } as unknown as Kube, asked };
}

it('believes what is at hand when nothing is wrong with it', async () => {
  const { kube, asked } = cluster([location], []);
  expect(await prepareBackup(kube, backup, options)).toMatchObject({ spec: { storageLocation: 'new' }, problems: [] });
  expect(asked).toEqual(['0', '0', '0']);
});

it('refuses nothing for what the server had not heard of yet', async () => {
  const { kube, asked } = cluster([], [location]);
  expect((await prepareBackup(kube, backup, options)).problems).toEqual([]);
  expect(asked).toEqual(['0', '0', '0', undefined, undefined, undefined]);
});

it('refuses what is wrong in truth', async () => {
  const { kube } = cluster([], []);
  expect((await prepareBackup(kube, backup, options)).problems).toEqual([expect.stringContaining('new')]);
});

it('leaves no namespace out for a label that is gone', async () => {
  const labelled: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'was-labelled' } };
  const { kube } = cluster([location], [location], [labelled]);
  expect((await prepareBackup(kube, backup, options)).spec).not.toHaveProperty('excludedNamespaces');
});
