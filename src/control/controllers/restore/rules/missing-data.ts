import { textAt } from '../../../../base/index.ts';
import { missingDataMessage, type BackupVolumeInfo } from '../../../../core/backup/index.ts';
import { aboutItem, missingData, targetOf, type ArchiveKey } from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { ReadContext } from '../context.ts';
import type { VolumeFindings } from '../source/volume-data.ts';

/** Names every claim of a restore whose data is not in the backup, once: in a condition and among the warnings. */
export class MissingData {
  readonly #context: ReadContext;
  readonly #archive: Archive;
  readonly #infos: ReadonlyMap<string, BackupVolumeInfo>;
  readonly #findings: VolumeFindings;
  readonly #seen = new Set<string>();
  readonly #reasons = new Map<string, string>();

  constructor(context: ReadContext, archive: Archive, infos: readonly BackupVolumeInfo[], findings: VolumeFindings) {
    this.#findings = findings;
    this.#context = context;
    this.#archive = archive;
    this.#infos = new Map(infos.map((info) => [`${info.pvcNamespace ?? ''}/${info.pvcName ?? ''}`, info]));
  }

  /** For the collected claims, and later for those that other items need. */
  async see(claims: Iterable<ArchiveKey>): Promise<void> {
    const before = this.#reasons.size;
    for (const claim of claims) await this.#see(claim);
    if (this.#reasons.size === before) return;
    this.#context.run.setCondition({
      type: 'VolumeDataMissing',
      status: 'True',
      reason: 'NotInBackup',
      message: missingDataMessage([...this.#reasons.keys()]),
    });
  }

  async #see(key: ArchiveKey): Promise<void> {
    const claim = `${key.namespace ?? ''}/${key.name}`;
    if (this.#seen.has(claim)) return;
    this.#seen.add(claim);
    // It is there, was never there, or its claim fails with the reason.
    if (this.#findings.has(claim)) return;
    const info = this.#infos.get(claim);
    const why = missingData(info);
    if (why === undefined || (info === undefined && !(await this.#wasBound(key)))) return;
    this.#reasons.set(claim, why);
    const { restore, findings } = this.#context;
    const text = `the data of PersistentVolumeClaim ${claim} is not in the backup and is not restored: ${why}`;
    const { namespace } = targetOf(key, restore.spec.namespaceMapping ?? {});
    findings.warn(aboutItem(namespace), text);
  }

  /** Why the data of a claim, by its name in the backup, is not restored, as far as it was seen. */
  whyMissing({ namespace = '', name }: ArchiveKey): string | undefined {
    return this.#reasons.get(`${namespace}/${name}`);
  }

  /** A claim that never got a volume has no data that could be missing. */
  async #wasBound(claim: ArchiveKey): Promise<boolean> {
    return !this.#archive.has(claim) || textAt(await this.#archive.read(claim), 'spec', 'volumeName') !== undefined;
  }
}
