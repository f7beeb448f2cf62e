import { isAppError, type JsonObject } from '../../../base/index.ts';
import { PRIORITY_CLASSES, STORAGE_CLASSES } from '../kinds/index.ts';
import type { ControlClient, TypeOf } from '../ports.ts';
import { POCKET_CLASSES } from '../volumes/index.ts';

const PRIORITIES: readonly (JsonObject & { metadata: { name: string } })[] = [
  {
    metadata: { name: 'system-cluster-critical' },
    value: 2_000_000_000,
    description:
      'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  },
  {
    metadata: { name: 'system-node-critical' },
    value: 2_000_001_000,
    description: 'Used for system critical pods that must not be moved from their current node.',
  },
];

/** Creates the objects that users expect in every cluster, if they are missing. */
export async function createClusterDefaults(client: ControlClient): Promise<void> {
  const wanted: [TypeOf, JsonObject & { metadata: { name: string } }][] = [
    ...POCKET_CLASSES.map((object): [TypeOf, typeof object] => [STORAGE_CLASSES, object]),
    ...PRIORITIES.map((object): [TypeOf, typeof object] => [PRIORITY_CLASSES, object]),
  ];
  const missing = wanted.filter(([type, object]) => client.get(type, '', object.metadata.name) === undefined);
  await Promise.all(
    missing.map(async ([type, object]) => {
      try {
        await client.create(type, object);
      } catch (error) {
        // A client has just created its own.
        if (!isAppError(error, 'alreadyExists')) throw error;
      }
    }),
  );
}
