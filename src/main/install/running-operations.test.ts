import { expect, it } from 'vitest';
import { Backup, Restore, Schedule, type ResourceType } from '../../api/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { refuseWhileRunning } from './running-operations.ts';

const object = (kind: ResourceType, name: string, phase?: string): KubeObject => ({
  apiVersion: 'velero.io/v1',
  kind: kind.kind,
  metadata: { name, namespace: 'velero' },
  ...(phase === undefined ? {} : { status: { phase } }),
});

it('lets go what has ended, and what never runs', () => {
  const backups = ['Completed', 'PartiallyFailed', 'Failed', 'FailedValidation'].map((phase) =>
    object(Backup, phase.toLowerCase(), phase),
  );
  const objects = new Map<ResourceType, KubeObject[]>([
    [Backup, backups],
    [Schedule, [object(Schedule, 'daily', 'Enabled')]],
  ]);
  expect(() => {
    refuseWhileRunning(objects, { hasServer: true });
  }).not.toThrow();
});

it('names what runs and what waits, and how many more there are', () => {
  const some = [object(Backup, 'old', 'Completed'), object(Backup, 'now', 'InProgress')];
  const many = Array.from({ length: 8 }, (_, index) => object(Restore, `r-${index}`));
  const objects = new Map<ResourceType, KubeObject[]>([
    [Backup, some],
    [Restore, many],
  ]);
  const refuse = (hasServer: boolean) => () => {
    refuseWhileRunning(objects, { hasServer });
  };
  expect(refuse(true)).toThrow(
    'these have not ended: backup/now, restore/r-0, restore/r-1, restore/r-2, restore/r-3 and 4 more',
  );
  // Nobody will ever begin the others.
  expect(refuse(false)).toThrow(/these have not ended: backup\/now$/);
});
