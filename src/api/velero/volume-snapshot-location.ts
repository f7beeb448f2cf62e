import { object, oneOf, text, textMap } from '../meta/field.ts';
import { AGE, column } from '../meta/columns.ts';
import { conditions } from '../meta/condition.ts';
import { defineKind, type ObjectOf } from '../meta/kind.ts';
import { SecretKeySelector } from '../meta/references.ts';
import { VELERO } from './group.ts';

export const VolumeSnapshotLocation = defineKind({
  ...VELERO,
  kind: 'VolumeSnapshotLocation',
  plural: 'volumesnapshotlocations',
  shortNames: ['vsl'],
  doc: 'A provider of volume snapshots and where it keeps them.',
  fields: {
    spec: object(
      {
        provider: text('Volume plugin that takes the snapshots.'),
        config: textMap('Settings of the provider.').optional(),
        credential: SecretKeySelector.describe('Secret with the credentials for the provider.').optional(),
      },
      'Which provider, and how to reach it.',
    ),
    status: object(
      {
        phase: oneOf(['Available', 'Unavailable'], 'Whether the provider can be used.').optional(),
        conditions,
      },
      'Whether the provider works.',
    ),
  },
  columns: [column('Provider', '.spec.provider'), AGE],
});
export type VolumeSnapshotLocation = ObjectOf<typeof VolumeSnapshotLocation>;
