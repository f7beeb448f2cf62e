import { expect, it } from 'vitest';
import type { KubeObject } from '../kinds/index.ts';
import { namespaceConditions } from './namespace-conditions.ts';

const object = (finalizers: string[] = []): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', ...(finalizers.length === 0 ? {} : { finalizers }) },
});
const texts = (conditions: ReturnType<typeof namespaceConditions>) =>
  Object.fromEntries(conditions.map(({ type, status, reason, message }) => [type, `${status} ${reason}: ${message}`]));

it('says what is left and which finalizers hold it, in the words of the real controller', () => {
  const remaining = new Map([
    [{ group: 'apps', plural: 'deployments' }, [object(['a/b'])]],
    [{ group: '', plural: 'configmaps' }, [object(), object(['a/b', 'c/d'])]],
  ]);
  expect(texts(namespaceConditions(undefined, { remaining, failures: [], now: 't' }))).toEqual({
    NamespaceDeletionDiscoveryFailure: 'False ResourcesDiscovered: All resources successfully discovered',
    NamespaceDeletionGroupVersionParsingFailure: 'False ParsedGroupVersions: All legacy kube types successfully parsed',
    NamespaceDeletionContentFailure:
      'False ContentDeleted: All content successfully deleted, may be waiting on finalization',
    NamespaceContentRemaining:
      'True SomeResourcesRemain: Some resources are remaining: configmaps. has 2 resource instances, deployments.apps has 1 resource instances',
    NamespaceFinalizersRemaining:
      'True SomeFinalizersRemain: Some content in the namespace has finalizers remaining: a/b in 2 resource instances, c/d in 1 resource instances',
  });
});

it('says what could not be deleted, and takes back what is no longer true', () => {
  const bad = namespaceConditions(undefined, { remaining: new Map(), failures: ['b', 'a'], now: 't1' });
  expect(texts(bad)['NamespaceDeletionContentFailure']).toBe(
    'True ContentDeletionFailed: Failed to delete all resource types, 2 remaining: a, b',
  );
  const good = namespaceConditions(bad, { remaining: new Map(), failures: [], now: 't2' });
  expect(good.map(({ status }) => status)).toEqual(['False', 'False', 'False', 'False', 'False']);
  expect(good.find(({ type }) => type === 'NamespaceDeletionContentFailure')?.lastTransitionTime).toBe('t2');
  expect(good.find(({ type }) => type === 'NamespaceContentRemaining')?.lastTransitionTime).toBe('t1');
});
