import {
  cleanText,
  isNamespaceName,
  isObjectName,
  objectsAt,
  textAt,
  textsAt,
  type Json,
  type JsonObject,
} from '../../base/index.ts';
import type { StoredVolume } from '../../core/operations/index.ts';
import { present } from '../../core/progress/index.ts';
import { CLAIM_ANNOTATION, KOPIA_SNAPSHOT, storedSize } from '../../core/volumes/index.ts';

/** More volumes than a backup has; a file with more was written by somebody else. */
const MAX_ROWS = 10_000;

/** The volumes of a backup: ours, and those that Velero alone knows. Anybody may have written these files. */
export function volumeRows(pluginBackups: Json | undefined, podVolumeBackups: Json | undefined): StoredVolume[] {
  const ours = objectsAt(pluginBackups).flatMap((one) => rowOf(one, pluginFacts(one)));
  const known = new Set(ours.map(({ id }) => id));
  const others = objectsAt(podVolumeBackups).flatMap((one) => rowOf(one, podVolumeFacts(one)));
  return [...ours, ...others.filter(({ id }) => !known.has(id))].slice(0, MAX_ROWS);
}

function pluginFacts(object: JsonObject): Partial<StoredVolume> {
  const claim = textsAt(object, 'metadata', 'annotations')[CLAIM_ANNOTATION];
  return present({
    claim,
    namespace: claim?.split('/')[0],
    plugin: textAt(object, 'spec', 'plugin'),
    // kopia's own id is the one that kopia can be asked for.
    snapshot: textsAt(object, 'spec', 'pluginSpecific')[KOPIA_SNAPSHOT],
  });
}

function podVolumeFacts(object: JsonObject): Partial<StoredVolume> {
  const claim = textsAt(object, 'metadata', 'annotations')['velero.io/pvc-name'];
  const namespace = textAt(object, 'spec', 'pod', 'namespace') ?? '';
  return present({
    claim: claim === undefined ? undefined : `${namespace}/${claim}`,
    namespace,
    // Before Velero knew kopia, the field was empty.
    plugin: textAt(object, 'spec', 'uploaderType') ?? 'restic',
  });
}

function rowOf(object: JsonObject, facts: Partial<StoredVolume>): StoredVolume[] {
  const { claim, namespace = '', plugin = '', snapshot } = facts;
  const id = textAt(object, 'metadata', 'name') ?? '';
  if (!isObjectName(id)) return [];
  const { totalBytes: bytes, completedAt } = storedSize(object);
  const clean = (text: string | undefined): string | undefined => (text === undefined ? undefined : cleanText(text));
  return [
    present({
      id,
      claim: clean(claim),
      // It becomes part of a path in the store.
      namespace: isNamespaceName(namespace) ? namespace : undefined,
      plugin: cleanText(plugin, 100),
      phase: cleanText(textAt(object, 'status', 'phase') ?? 'New', 100),
      bytes,
      snapshot: clean(snapshot ?? textAt(object, 'status', 'snapshotID')),
      completedAt: clean(completedAt),
      message: clean(textAt(object, 'status', 'message')),
    }),
  ];
}
