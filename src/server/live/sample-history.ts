import { addSample, type Operation, type Sample } from '../../core/operations/index.ts';

const MAX_OPERATIONS = 500;

/** How fast operations were while they ran, for the chart of a page that is opened or loaded again in the middle. */
export class SampleHistory {
  /** The one that changed last is the last. */
  readonly #samples = new Map<string, { uid: string | undefined; samples: readonly Sample[] }>();

  see({ id, ref, report }: Operation, now: number): void {
    const known = this.#samples.get(id);
    const before = known?.uid === ref.uid ? (known?.samples ?? []) : [];
    const samples = addSample(before, report, now);
    if (samples === before) return;
    this.#samples.delete(id);
    this.#samples.set(id, { uid: ref.uid, samples });
    const [oldest] = this.#samples.keys();
    if (this.#samples.size > MAX_OPERATIONS && oldest !== undefined) this.#samples.delete(oldest);
  }

  forget(id: string): void {
    this.#samples.delete(id);
  }

  of({ id, ref }: Operation): readonly Sample[] {
    const known = this.#samples.get(id);
    return known?.uid === ref.uid ? (known?.samples ?? []) : [];
  }
}
