import { textAt } from '../../../../base/index.ts';
import { missingDataMessage, type BackupVolumeInfo } from '../../../../core/backup/index.ts';
import { aboutItem, missingData, targetOf, type ArchiveKey } from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { ReadContext } from '../context.ts';

/** Names every claim of a restore whose data is not in the backup, once: in a condition and among the warnings. */
export class MissingData {
  readonly #context: ReadContext;
  readonly #archive: Archive;
  readonly #infos: ReadonlyMap<string, BackupVolumeInfo>;
  readonly #seen = new Set<string>();
  readonly #named: string[] = [];

  constructor(context: ReadContext, archive: Archive, infos: readonly BackupVolumeInfo[]) {
    this.#context = context;
    this.#archive = archive;
    this.#infos = new Map(infos.map((info) => [`${info.pvcNamespace ?? ''}/${info.pvcName ?? ''}`, info]));
  }

  /** For the collected claims, and later for those that other items need. */
  async see(claims: Iterable<ArchiveKey>): Promise<void> {
    const before = this.#named.length;
    for (const claim of claims) await this.#see(claim);
    if (this.#named.length === before) return;
    this.#context.run.setCondition({
      type: 'VolumeDataMissing',
      status: 'True',
      reason: 'NotInBackup',
      message: missingDataMessage(this.#named),
    });
  }

  async #see(key: ArchiveKey): Promise<void> {
    const claim = `${key.namespace ?? ''}/${key.name}`;
    if (this.#seen.has(claim)) return;
    this.#seen.add(claim);
    const info = this.#infos.get(claim);
    const why = missingData(info);
    if (why === undefined || (info === undefined && !(await this.#wasBound(key)))) return;
    this.#named.push(claim);
    const { restore, findings } = this.#context;
    const text = `the data of PersistentVolumeClaim ${claim} is not in the backup and is not restored: ${why}`;
    const { namespace } = targetOf(key, restore.spec.namespaceMapping ?? {});
    findings.warn(aboutItem(namespace), text);
  }

  /** A claim that never got a volume has no data that could be missing. */
  async #wasBound(claim: ArchiveKey): Promise<boolean> {
    return !this.#archive.has(claim) || textAt(await this.#archive.read(claim), 'spec', 'volumeName') !== undefined;
  }
}
