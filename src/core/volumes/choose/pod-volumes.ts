import { objectsAt, textAt, textsAt, type JsonObject } from '../../../base/index.ts';

const OPT_IN = 'backup.velero.io/backup-volumes';
const OPT_OUT = 'backup.velero.io/backup-volumes-excludes';
/** Sources that hold no data of their own, or none that a pod may reach. */
const WITHOUT_DATA = ['hostPath', 'secret', 'configMap', 'projected', 'downwardAPI'];

/**
 * The entries of a pod's spec.volumes that its user wants copied file by file: those that an annotation names or, if
 * all are wanted, those that no annotation excludes.
 */
export function fileSystemVolumes(pod: JsonObject, areAllWanted: boolean): JsonObject[] {
  const annotations = textsAt(pod, 'metadata', 'annotations');
  const named = new Set((annotations[areAllWanted ? OPT_OUT : OPT_IN] ?? '').split(','));
  return objectsAt(pod, 'spec', 'volumes').filter((volume) => {
    const name = textAt(volume, 'name') ?? '';
    const hasData = !name.startsWith('default-token') && WITHOUT_DATA.every((source) => volume[source] === undefined);
    return hasData && named.has(name) !== areAllWanted;
  });
}
