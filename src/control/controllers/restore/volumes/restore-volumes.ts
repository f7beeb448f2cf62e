import { AppError, textAt, type JsonObject } from '../../../../base/index.ts';
import { addMeasures, estimate, UNKNOWN, type Measure, type Outcome } from '../../../../core/progress/index.ts';
import {
  aboutItem,
  type BringUpDecision,
  claimsMountedBy,
  mayStartPods,
  planOfMigration,
  targetOf,
  type ArchiveKey,
  type Holds,
  type WorkItem,
} from '../../../../core/restore/index.ts';
import { restoreVolumeInfo, type RestoreVolumeInfo, type VolumeData } from '../../../../core/volumes/index.ts';
import type { KubeObject } from '../../../../edge/kube/index.ts';
import type { Need } from '../items/plan-runner.ts';
import type { VolumeFindings } from '../source/volume-data.ts';
import { readClaim, unfilledBy } from './claim-mark.ts';
import { considerBringUp } from './claim-to-bring-up.ts';
import type { Fill, FillContext } from './fill-context.ts';
import { MoverFill } from './mover-fill.ts';
import { NativeFill } from './native-fill.ts';
import { hasRestoreObject } from './restore-object.ts';

/** A claim of the restore whose data is in the backup. */
interface Expected {
  source: ArchiveKey;
  namespace: string;
  name: string;
  data: VolumeData;
  /** It was there, and gets what the backup has. */
  isBroughtUp?: boolean;
  fill?: Fill;
  /** Resolves with why its data is not there; undefined when it is. */
  work?: Promise<string | undefined>;
  /** The work has ended, however. */
  isOver?: boolean;
}

const CLAIMS = 'persistentvolumeclaims';
const KEPT = 'VolumeDataKept';
const BROUGHT_UP = 'VolumeDataBroughtUp';
const MAX_NAMED = 100;

/**
 * The volumes of a restore: each claim is filled as soon as it is created, and whatever might mount one is held back
 * until the claims of its namespace are filled. A claim that was there keeps what it has, unless a migration of the same
 * plan brings it up to the backup.
 */
export class RestoreVolumes implements Holds {
  /** Called when a claim is filled, or will not be. */
  onOver: () => void = () => undefined;
  readonly #context: FillContext;
  readonly #findings: VolumeFindings;
  /** By `namespace/name` in the cluster. */
  readonly #expected = new Map<string, Expected>();
  readonly #byNamespace = new Map<string, Expected[]>();
  readonly #kept: string[] = [];
  readonly #broughtUp: string[] = [];
  readonly #filled: RestoreVolumeInfo[];

  /** `filled` gets what is told of each claim that has its data. */
  constructor(context: Omit<FillContext, 'onProgress'>, findings: VolumeFindings, filled: RestoreVolumeInfo[]) {
    this.#context = {
      ...context,
      onProgress: () => {
        this.#tell();
      },
    };
    this.#findings = findings;
    this.#filled = filled;
  }

  /** Claims that were collected: whatever mounts them has to wait, even if it comes before them. */
  expect(claims: Iterable<ArchiveKey>): void {
    for (const source of claims) this.#expect(source);
    this.#tell();
  }

  /** The API has answered for a claim. */
  settled({ source }: WorkItem, outcome: Outcome): void {
    if (source.groupResource !== CLAIMS) return;
    const expected = this.#expect(source);
    if (expected === undefined || expected.work !== undefined) return;
    const work = outcome === 'created' ? this.#fill(expected) : this.#existing(expected, outcome);
    const end = (): void => {
      expected.isOver = true;
      this.onOver();
    };
    // Whoever waits for it hears how it ended, and `finish`.
    void work.then(end, end);
    expected.work = work;
    this.#tell();
  }

  concern(item: WorkItem): boolean {
    return this.#concerned(item).length > 0;
  }

  isHeld(item: WorkItem, isLast: boolean): boolean {
    // A claim that is still to come is waited for too, unless nothing comes any more.
    return this.#concerned(item).some(({ work, isOver }) => (work === undefined ? !isLast : isOver !== true));
  }

  /**
   * Throws if an item would mount what could not be filled. One that was not held back, because another one needs it,
   * waits here.
   */
  async ready(item: WorkItem, object: () => JsonObject, need: Need): Promise<void> {
    const { target } = item;
    const concerned = this.#concerned(item);
    if (concerned.length === 0) return;
    for (const claim of concerned) if (claim.work === undefined) await need(claim.source, target);
    const problems = await this.#problemsOf(concerned);
    if (problems.size === 0 || target.namespace === undefined) return;
    const mounts = claimsMountedBy(object());
    const [name, problem] = [...problems].find(([claim]) => mounts(claim)) ?? [];
    if (name === undefined) return;
    const text = `it is not restored, because its claim ${name} does not have its data: ${problem ?? ''}`;
    throw new AppError('invalid', text);
  }

  /** Waits for those that nothing waited for. */
  async finish(): Promise<void> {
    await this.#problemsOf([...this.#expected.values()]);
  }

  /** Nothing is copied any more when it resolves; the signal has ended it. */
  async end(): Promise<void> {
    await Promise.allSettled([...this.#expected.values()].flatMap(({ work }) => (work === undefined ? [] : [work])));
  }

  /** The claims that an item may have to do with. */
  #concerned({ source, target }: WorkItem): readonly Expected[] {
    if (this.#expected.size === 0 || !mayStartPods(source.groupResource)) return [];
    return target.namespace === undefined
      ? [...this.#expected.values()]
      : (this.#byNamespace.get(target.namespace) ?? []);
  }

  #expect(source: ArchiveKey): Expected | undefined {
    const finding = this.#findings.get(`${source.namespace ?? ''}/${source.name}`);
    if (finding === undefined || !('data' in finding)) return undefined;
    const { namespace = '', name } = targetOf(source, this.#context.restore.restore.spec.namespaceMapping ?? {});
    const key = `${namespace}/${name}`;
    const known = this.#expected.get(key);
    if (known !== undefined) return known;
    const expected: Expected = { source, namespace, name, data: finding.data };
    expected.fill = this.#fillOf(expected);
    this.#expected.set(key, expected);
    this.#byNamespace.set(namespace, [...(this.#byNamespace.get(namespace) ?? []), expected]);
    return expected;
  }

  #fillOf({ namespace, name, data, isBroughtUp = false }: Expected): Fill {
    const filling = { data, claim: { namespace, name }, isBroughtUp };
    return data.by === 'native' ? new NativeFill(filling, this.#context) : new MoverFill(filling, this.#context);
  }

  /** A claim that was there: what is in it is somebody's, unless it is that of the migration that wants it newer. */
  async #existing(expected: Expected, outcome: Outcome): Promise<string | undefined> {
    const { namespace, name, data } = expected;
    delete expected.fill;
    if (outcome === 'failed') return undefined;
    const { restore, signal } = this.#context;
    const found = await readClaim({ namespace, name }, restore, signal);
    const hasBegun =
      planOfMigration(restore.restore) !== undefined &&
      (await hasRestoreObject({ data, claim: { namespace, name } }, this.#context));
    if (!hasBegun) {
      const decision: BringUpDecision =
        found === undefined ? { isBroughtUp: false } : await considerBringUp(found, data, restore, signal);
      if (!decision.isBroughtUp) return this.#leave(expected, found, decision.why);
    }
    expected.isBroughtUp = true;
    expected.fill = this.#fillOf(expected);
    return await this.#fill(expected);
  }

  #tellBroughtUp(claim: string, removed: string): void {
    const { log, run } = this.#context.restore;
    log.info('claim is brought up to the backup', { claim, removed });
    this.#broughtUp.push(`${claim} (${removed} removed)`);
    const message = `claims of the same plan were brought up to the backup: ${named(this.#broughtUp)}`;
    run.setCondition({ type: BROUGHT_UP, status: 'True', reason: 'SamePlan', message });
  }

  async #fill(expected: Expected): Promise<string | undefined> {
    const { namespace, name, data, fill, isBroughtUp } = expected;
    const { restore, signal } = this.#context;
    const { findings, log } = restore;
    const problem = await fill?.fill();
    const claim = { namespace, name };
    if (fill?.kept !== undefined) {
      return this.#leave(expected, await readClaim(claim, restore, signal), fill.kept);
    }
    if (problem === undefined) {
      if (fill?.removed !== undefined) this.#tellBroughtUp(`${namespace}/${name}`, fill.removed);
      const volume = textAt(await readClaim(claim, restore, signal), 'spec', 'volumeName');
      this.#filled.push(restoreVolumeInfo(data, { claim, volume, bytes: fill?.progress.bytesDone ?? 0 }));
      log.info('volume is restored', { claim: `${namespace}/${name}`, ...fill?.progress });
    } else {
      const advice =
        isBroughtUp === true
          ? 'migrate again, or delete the claim and restore it'
          : 'delete the claim and restore it again';
      const text = `the data of PersistentVolumeClaim ${namespace}/${name} is not restored: ${problem}; ${advice}`;
      findings.error(aboutItem(namespace), text);
    }
    return problem;
  }

  /** What is in a claim that was there is somebody's, whatever the backup has. */
  #leave(expected: Expected, found: KubeObject | undefined, reason?: string): string | undefined {
    const { namespace, name } = expected;
    delete expected.fill;
    this.#tell();
    const { restore } = this.#context;
    const unfinished = unfilledBy(found);
    const claim = `${namespace}/${name}`;
    const why =
      unfinished === undefined
        ? `the claim exists, and keeps what it has${reason === undefined ? '' : `: ${reason}`}`
        : `the claim exists, and restore ${unfinished} did not finish filling it; delete it and restore it again`;
    restore.findings.warn(aboutItem(namespace), `the data of PersistentVolumeClaim ${claim} is not restored: ${why}`);
    this.#kept.push(claim);
    const message = `claims that exist keep what they have: ${named(this.#kept)}`;
    restore.run.setCondition({ type: KEPT, status: 'True', reason: 'ClaimExists', message });
    return unfinished === undefined ? undefined : why;
  }

  /** Why claims have no data, by their names. */
  async #problemsOf(claims: readonly Expected[]): Promise<Map<string, string>> {
    const { run } = this.#context.restore;
    const problems = new Map<string, string>();
    if (claims.every(({ work }) => work === undefined)) return problems;
    // It stays until the end: what is left is waited for, or follows the volumes.
    run.feed({ kind: 'stage', stage: 'volumes' });
    for (const { name, work } of claims) {
      const problem = await work;
      if (problem !== undefined) problems.set(name, problem);
    }
    return problems;
  }

  /** The sum over all volumes; it is unknown while one of them is. */
  #tell(): void {
    const measures = [...this.#expected.values()].flatMap(({ fill }): Measure[] => {
      if (fill === undefined) return [];
      const { bytesDone, totalBytes } = fill.progress;
      return [{ unit: 'bytes', done: bytesDone, total: totalBytes === undefined ? UNKNOWN : estimate(totalBytes) }];
    });
    const [sum] = addMeasures(measures);
    if (sum !== undefined) this.#context.restore.run.feed({ kind: 'measure', ...sum });
  }
}

function named(claims: readonly string[]): string {
  const more = claims.length > MAX_NAMED ? ` and ${claims.length - MAX_NAMED} more` : '';
  return `${claims.slice(0, MAX_NAMED).join(', ')}${more}`;
}
