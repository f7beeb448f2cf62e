import { base64, flag, object, text } from '../meta/field.ts';
import { AGE, READY, column } from '../meta/columns.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { ObjectReference } from '../meta/references.ts';
import { MIGRATION } from './group.ts';
import { migConditions, observedDigest } from './mig-condition.ts';

export const MigCluster = defineKind({
  ...MIGRATION,
  kind: 'MigCluster',
  plural: 'migclusters',
  doc: 'A cluster that migrations go from or to.',
  fields: {
    spec: object(
      {
        isHostCluster: flag('Whether it is the cluster that Headway runs in.'),
        url: text('Address of the API server; not needed for the host cluster.').optional(),
        serviceAccountSecretRef: ObjectReference.describe('Secret with the token, under the key saToken.').optional(),
        caBundle: base64('PEM certificates to trust.').optional(),
        insecure: flag("Whether the server's certificate is not checked.").optional(),
        exposedRegistryPath: text('Address of the image registry from outside.').optional(),
        azureResourceGroup: text('Resource group of the volumes on Azure.').optional(),
        restartRestic: flag('Whether the node agents are restarted once stage pods run.').optional(),
        refresh: flag('Asks for all checks to be made again; goes back to false once done.').optional(),
      },
      'How to reach the cluster.',
    ),
    status: object(
      {
        conditions: migConditions,
        observedDigest,
        registryPath: text('Address of the image registry that was found.').optional(),
        operatorVersion: text('Version of what runs there.').optional(),
      },
      'Whether the cluster can be used.',
    ),
  },
  columns: [READY, column('URL', '.spec.url'), column('Host', '.spec.isHostCluster', 'boolean'), AGE],
});
export type MigCluster = ObjectOf<typeof MigCluster>;
