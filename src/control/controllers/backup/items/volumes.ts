import { PERSISTENT_VOLUME } from '../../../../api/index.ts';
import { isAppError, messageOf, textAt, without, type JsonObject } from '../../../../base/index.ts';
import { fileSystemVolumes, skippedVolume, type BackupVolumeInfo } from '../../../../core/backup/index.ts';
import type { ItemKey } from '../../../../core/progress/index.ts';
import type { Kube } from '../../../../edge/kube/index.ts';
import { aheadInOrder } from './ahead.ts';
import type { Collected } from './collector.ts';
import type { Findings, PatientCalls } from '../../../operation/index.ts';
import {
  actionForVolume,
  type ResourcePolicies,
  type VolumeFacts,
  volumeFacts,
} from '../../../../core/selection/index.ts';

const GET_DEADLINE_MS = 30_000;
const GETS_AT_ONCE = 16;
const NO_MOVER = 'this version of Headway does not copy the data of volumes';
const BY_POLICY = 'a resource policy says to skip it';

export interface VolumeDeps {
  kube: Kube;
  findings: Findings;
  signal: AbortSignal;
  api: PatientCalls;
}

export interface VolumeReport {
  infos: BackupVolumeInfo[];
  /** Claims whose data is not in the backup although nobody excluded it, as `namespace/name`. */
  missing: string[];
}

/** Which volumes a backup mentions but does not contain: a claim without its data is never silently skipped. */
export class Volumes {
  readonly #claims: { namespace: string; name: string; object: JsonObject }[] = [];
  readonly #volumes = new Map<string, JsonObject>();
  readonly #pods: { key: ItemKey; volumes: JsonObject[] }[] = [];
  readonly #areFilesWanted: boolean;

  /** Whether the files of all pod volumes are to be copied, not only of those that an annotation names. */
  constructor(areFilesWanted: boolean) {
    this.#areFilesWanted = areFilesWanted;
  }

  get size(): number {
    return this.#claims.length;
  }

  see({ key, object }: Collected): void {
    if (key.groupResource === 'pods') {
      const volumes = fileSystemVolumes(object, this.#areFilesWanted);
      if (volumes.length > 0) this.#pods.push({ key, volumes });
    }
    if (key.groupResource === 'persistentvolumes') this.#volumes.set(key.name, slim(object));
    if (key.groupResource !== 'persistentvolumeclaims' || key.namespace === undefined) return;
    // An unbound claim has no data yet.
    if (textAt(object, 'spec', 'volumeName') === undefined) return;
    this.#claims.push({ namespace: key.namespace, name: key.name, object: slim(object) });
  }

  async report(policies: ResourcePolicies | undefined, deps: VolumeDeps): Promise<VolumeReport> {
    const report: VolumeReport = { infos: [], missing: [] };
    this.#tellPods(policies, deps.findings);
    const read = ({ object }: { object: JsonObject }): Promise<JsonObject | undefined> => this.#volumeOf(object, deps);
    for await (const [{ object, ...claim }, volume] of aheadInOrder(this.#claims, GETS_AT_ONCE, read)) {
      const facts = volumeFacts({ claim: object, ...(volume === undefined ? {} : { persistentVolume: volume }) });
      const isSkipped = policies !== undefined && actionForVolume(policies, facts)?.type === 'skip';
      report.infos.push(skippedVolume(claim, isSkipped ? BY_POLICY : NO_MOVER, volume));
      if (isSkipped) continue;
      report.missing.push(`${claim.namespace}/${claim.name}`);
      const about = { groupResource: 'persistentvolumeclaims', ...claim };
      deps.findings.notice(about, `its data is not in the backup: ${NO_MOVER}`);
    }
    return report;
  }

  /** Somebody asked for these files, so it is a warning, as in Velero when it cannot copy them. */
  #tellPods(policies: ResourcePolicies | undefined, findings: Findings): void {
    for (const { key, volumes } of this.#pods) {
      for (const volume of volumes) {
        const action = policies === undefined ? undefined : actionForVolume(policies, this.#factsOf(key, volume));
        if (action !== undefined && action.type !== 'fs-backup') continue;
        findings.warn(
          key,
          `the files of its volume ${textAt(volume, 'name') ?? ''} are not in the backup: ${NO_MOVER}`,
        );
      }
    }
  }

  #factsOf({ namespace }: ItemKey, podVolume: JsonObject): VolumeFacts {
    const name = textAt(podVolume, 'persistentVolumeClaim', 'claimName');
    const claim = this.#claims.find((one) => one.namespace === namespace && one.name === name)?.object;
    if (claim === undefined) return volumeFacts({ podVolume });
    const persistentVolume = this.#volumes.get(textAt(claim, 'spec', 'volumeName') ?? '');
    return volumeFacts({ podVolume, claim, ...(persistentVolume === undefined ? {} : { persistentVolume }) });
  }

  /** Even a volume that the filters leave out says what kind of volume the claim has. */
  async #volumeOf(claim: JsonObject, { kube, findings, signal, api }: VolumeDeps): Promise<JsonObject | undefined> {
    const name = textAt(claim, 'spec', 'volumeName') ?? '';
    const known = this.#volumes.get(name);
    if (known !== undefined) return known;
    try {
      const options = { signal, deadlineMs: GET_DEADLINE_MS };
      return slim(await api.call(() => kube.get({ type: PERSISTENT_VOLUME, name }, options)));
    } catch (error) {
      signal.throwIfAborted();
      if (!isAppError(error, 'notFound')) {
        findings.warn({ groupResource: 'persistentvolumes', name }, `it could not be read: ${messageOf(error)}`);
      }
      return undefined;
    }
  }
}

function slim(object: JsonObject): JsonObject {
  const metadata = object['metadata'] as JsonObject;
  return { ...object, metadata: without(metadata, 'managedFields') };
}
