import { objectAt, textAt, textsAt, without, type JsonObject } from '../../../base/index.ts';
import type { PureItemAction } from './item-action.ts';

const STALE_LABELS = [
  'velero.io/restore-name',
  'backup.velero.io/must-include-additional-items',
  'velero.io/volume-snapshot-name',
];
const BACKUP_LABEL = 'velero.io/backup-name';

/** A bound claim brings its volume, and loses the fields that would tie a restored claim to old sources and labels. */
export function claimAction(backupName: string): PureItemAction {
  return {
    name: 'velero.io/pv',
    appliesTo: (groupResource) => groupResource === 'persistentvolumeclaims',
    run({ object }) {
      const spec = objectAt(object, 'spec');
      const volume = textAt(spec, 'volumeName');
      if (volume === undefined || objectAt(object, 'status')['phase'] !== 'Bound') return { additional: [] };
      return {
        object: { ...object, metadata: cleanMetadata(object, backupName), spec: cleanSpec(spec) },
        additional: [{ groupResource: 'persistentvolumes', name: volume }],
      };
    },
  };
}

function cleanSpec(spec: JsonObject): JsonObject {
  const cleaned = without(spec, 'dataSource', 'dataSourceRef');
  // Without a class, the selector is how the claim finds a volume; with one, it would keep a new volume from being
  // provisioned.
  if (spec['storageClassName'] !== '') return without(cleaned, 'selector');
  const selector = objectAt(cleaned, 'selector');
  if (selector['matchLabels'] === undefined) return cleaned;
  const labels = Object.entries(textsAt(selector, 'matchLabels')).filter(([key]) => !key.startsWith('velero.io/'));
  return { ...cleaned, selector: { ...selector, matchLabels: Object.fromEntries(labels) } };
}

function cleanMetadata(object: JsonObject, backupName: string): JsonObject {
  const metadata = objectAt(object, 'metadata');
  const labels = textsAt(object, 'metadata', 'labels');
  const isOfOther = labels[BACKUP_LABEL] !== undefined && labels[BACKUP_LABEL] !== backupName;
  const stale = [...STALE_LABELS, ...(isOfOther ? [BACKUP_LABEL] : [])].filter((key) => key in labels);
  return stale.length === 0 ? metadata : { ...metadata, labels: without(labels, ...stale) };
}
