import {
  cleanText,
  isNamespaceName,
  isObjectName,
  objectsAt,
  textAt,
  textsAt,
  valueAt,
  type Json,
  type JsonObject,
} from '../../../base/index.ts';
import { present } from '../../progress/index.ts';
import { readVolumePhase } from '../objects/phases.ts';
import { CLAIM_ANNOTATION } from '../objects/volume-objects.ts';
import { KOPIA_SNAPSHOT } from '../repository/doomed.ts';
import { isSnapshotId } from '../repository/snapshots.ts';

export interface ClaimName {
  namespace: string;
  name: string;
}

/** The data of one claim in a backup, and who brings it back. */
export interface VolumeData {
  /** As in the backup. */
  claim: ClaimName;
  /** The id under which it was backed up. */
  id: string;
  by: 'kopia' | 'stream' | 'native';
  plugin: string;
  /** What the seed calls so: it is printed where the backup is described. */
  snapshotID: string;
  /** kopia's own id. */
  kopiaID?: string;
  totalBytes?: number;
  completedAt?: string;
  pluginSpecific?: Record<string, string>;
  /** The pod of which Velero's object says that it was copied, and the pod's name for the volume. */
  podVolume?: PodVolume;
}

interface PodVolume {
  pod: string;
  volume: string;
}

/** What is known about a claim's data: where it is, that there was none, or why it cannot be brought back. */
export type VolumeFinding = { data: VolumeData } | { isEmpty: true } | { problem: string };

/** The files of a backup as they were read. Whoever may write to the location may have written anything into them. */
export interface VolumeFiles {
  pluginBackups: Json | undefined;
  podVolumeBackups: Json | undefined;
}

export interface VolumeQuestions {
  backup: string;
  /** The claim that a persistent volume was bound to. */
  claimOfVolume: (volume: string) => ClaimName | undefined;
  /** The claim behind a pod's volume, for a copy that does not name it. */
  claimOfPodVolume: (pod: ClaimName, volume: string) => ClaimName | undefined;
}

interface Read {
  claim: ClaimName | undefined;
  /** What must be another for each volume. */
  place: string;
  name: string;
  finding: VolumeFinding;
}

/** What the files of a backup say about the data of its claims, by `namespace/name`; and what in them makes no sense. */
export function readVolumeData(
  files: VolumeFiles,
  questions: VolumeQuestions,
): { findings: Map<string, VolumeFinding>; problems: string[] } {
  const podVolumes = objectsAt(files.podVolumeBackups).map((one) => readPodVolume(one, questions));
  const velero = new Map(podVolumes.map((one) => [one.name, one]));
  const plugins = objectsAt(files.pluginBackups).map((one) => readPluginBackup(one, questions, velero));
  const ours = new Set(plugins.map(({ name }) => name));
  // One that Velero alone knows, or knew before us.
  const reads = [...plugins, ...podVolumes.filter(({ name }) => !ours.has(name))];
  const problems: string[] = [];
  const findings = new Map<string, VolumeFinding>();
  const twice = usedTwice(reads);
  for (const { claim, name, place, finding } of reads) {
    if (claim === undefined) {
      // A volume of a pod that is no claim is told of elsewhere.
      if ('problem' in finding && ours.has(name)) problems.push(`volume ${name}: ${finding.problem}`);
      continue;
    }
    const key = `${claim.namespace}/${claim.name}`;
    const known = findings.get(key);
    const isNew = known === undefined || ('problem' in known && 'data' in finding);
    const shared = { problem: 'the backup names its snapshot for another volume as well' };
    if (isNew) findings.set(key, 'data' in finding && twice.has(place) ? shared : finding);
  }
  return { findings, problems };
}

/** Two claims cannot have one snapshot: somebody wrote another volume's id. */
function usedTwice(reads: readonly Read[]): Set<string> {
  const claims = new Map<string, string>();
  const twice = new Set<string>();
  for (const { claim, place, finding } of reads) {
    if (claim === undefined || !('data' in finding)) continue;
    const key = `${claim.namespace}/${claim.name}`;
    if ((claims.get(place) ?? key) !== key) twice.add(place);
    claims.set(place, key);
  }
  return twice;
}

function readPluginBackup(
  object: JsonObject,
  { backup, claimOfVolume }: VolumeQuestions,
  velero: ReadonlyMap<string, Read>,
): Read {
  const name = textAt(object, 'metadata', 'name') ?? '';
  const plugin = textAt(object, 'spec', 'plugin') ?? '';
  const volume = textAt(object, 'spec', 'volume') ?? '';
  const claim = annotatedClaim(object) ?? checked(claimOfVolume(volume));
  const problem = (text: string): Read => ({ claim, name, place: name, finding: { problem: text } });
  const wrong = whyUnusable(object, name, backup);
  if (wrong !== undefined) return problem(wrong);
  if (claim === undefined) return problem('the backup does not say which claim it belongs to');
  const specific = textsAt(object, 'spec', 'pluginSpecific');
  const common = { claim, id: name, plugin, ...storedSize(object), ...present({ pluginSpecific: specific }) };
  const snapshotID = textAt(object, 'status', 'snapshotID') ?? '';
  if (plugin === 'stream') {
    return { claim, name, place: `stream/${name}`, finding: { data: { ...common, by: 'stream', snapshotID: name } } };
  }
  if (plugin !== 'kopia') {
    if (snapshotID === '') return problem(`its plugin ${cleanText(plugin, 100)} gave no id of its snapshot`);
    const data: VolumeData = { ...common, by: 'native', snapshotID };
    return { claim, name, place: `${plugin}/${snapshotID}`, finding: { data } };
  }
  const kopiaID = specific[KOPIA_SNAPSHOT] ?? '';
  if (!isSnapshotId(kopiaID)) return problem('the backup has no valid id of its kopia snapshot');
  const same = velero.get(name);
  if (same !== undefined && same.place !== kopiaID) {
    return problem('the files of the backup name two different kopia snapshots for it');
  }
  const data: VolumeData = { ...common, by: 'kopia', snapshotID: name, kopiaID, ...podVolumeIn(same) };
  return { claim, name, place: kopiaID, finding: { data } };
}

function podVolumeIn(read: Read | undefined): Pick<VolumeData, 'podVolume'> {
  return present({ podVolume: read !== undefined && 'data' in read.finding ? read.finding.data.podVolume : undefined });
}

function annotatedClaim(object: JsonObject): ClaimName | undefined {
  return claimIn(textsAt(object, 'metadata', 'annotations')[CLAIM_ANNOTATION] ?? '');
}

function whyUnusable(object: JsonObject, name: string, backup: string): string | undefined {
  const plugin = textAt(object, 'spec', 'plugin') ?? '';
  if (!isObjectName(name)) return 'the backup has no valid name for its snapshot';
  if (textAt(object, 'spec', 'backup') !== backup) return 'its snapshot is said to be of another backup';
  if (plugin === '') return 'the backup does not say which plugin copied it';
  const phase = readVolumePhase(textAt(object, 'status', 'phase'));
  return phase === 'Completed' ? undefined : `its copy by ${cleanText(plugin, 100)} ${whyNot(phase, object)}`;
}

function readPodVolume(object: JsonObject, { claimOfPodVolume }: VolumeQuestions): Read {
  const name = textAt(object, 'metadata', 'name') ?? '';
  const pod = {
    namespace: textAt(object, 'spec', 'pod', 'namespace') ?? '',
    name: textAt(object, 'spec', 'pod', 'name') ?? '',
  };
  const named = textsAt(object, 'metadata', 'annotations')['velero.io/pvc-name'];
  const volume = textAt(object, 'spec', 'volume') ?? '';
  const claim = named === undefined ? checked(claimOfPodVolume(pod, volume)) : claimIn(`${pod.namespace}/${named}`);
  const kopiaID = textAt(object, 'status', 'snapshotID') ?? '';
  const problem = (text: string): Read => ({ claim, name, place: kopiaID, finding: { problem: text } });
  const uploader = textAt(object, 'spec', 'uploaderType') ?? '';
  // Before Velero knew kopia, the field was empty and restic was meant.
  if (uploader !== 'kopia') return problem('it was copied by restic, and this server has nothing that reads that');
  const phase = readVolumePhase(textAt(object, 'status', 'phase'));
  if (phase !== 'Completed') return problem(`its PodVolumeBackup ${whyNot(phase, object)}`);
  if (claim === undefined || !isObjectName(name)) return problem('the backup does not say which claim it belongs to');
  // An empty volume has no snapshot, as Velero sees it.
  if (kopiaID === '') return { claim, name, place: name, finding: { isEmpty: true } };
  if (!isSnapshotId(kopiaID)) return problem('the backup has no valid id of its kopia snapshot');
  const data: VolumeData = {
    claim,
    id: name,
    by: 'kopia',
    plugin: 'kopia',
    snapshotID: kopiaID,
    kopiaID,
    ...storedSize(object),
    ...namedPodVolume(pod.name, volume),
  };
  return { claim, name, place: kopiaID, finding: { data } };
}

/** They become fields of an object, which takes no others. */
function namedPodVolume(pod: string, volume: string): Pick<VolumeData, 'podVolume'> {
  return isObjectName(pod) && isObjectName(volume) ? { podVolume: { pod, volume } } : {};
}

function whyNot(phase: string | undefined, object: JsonObject): string {
  if (phase !== 'Failed' && phase !== 'Canceled') return 'had not ended when the backup was stored';
  const said = textAt(object, 'status', 'message');
  const how = phase === 'Failed' ? 'failed when it was backed up' : 'was canceled';
  return said === undefined ? how : `${how}: ${cleanText(said)}`;
}

/** The name becomes part of a path in the store, so nothing else may be in it. */
function claimIn(text: string): ClaimName | undefined {
  const [namespace = '', name = '', ...more] = text.split('/');
  return more.length === 0 && isNamespaceName(namespace) && isObjectName(name) ? { namespace, name } : undefined;
}

function checked(claim: ClaimName | undefined): ClaimName | undefined {
  return claim === undefined ? undefined : claimIn(`${claim.namespace}/${claim.name}`);
}

/** What the object of a volume says of how large it was, and when; numbers and times that make no sense are left out. */
export function storedSize(object: JsonObject): Pick<VolumeData, 'totalBytes' | 'completedAt'> {
  const bytes =
    valueAt(object, 'status', 'progress', 'totalBytes') ?? valueAt(object, 'status', 'progress', 'bytesDone');
  const isCount = typeof bytes === 'number' && Number.isSafeInteger(bytes) && bytes >= 0;
  const completedAt = textAt(object, 'status', 'completionTimestamp') ?? '';
  return {
    ...(isCount ? { totalBytes: bytes } : {}),
    ...(Number.isNaN(Date.parse(completedAt)) ? {} : { completedAt }),
  };
}
