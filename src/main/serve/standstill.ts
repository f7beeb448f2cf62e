/**
 * Judges from beats whether somebody stands still. It is asked again and again, and only counts time in which it was asked
 * on time itself: after a sleep of the machine, or of the whole process, everybody has stood still.
 */
export class Standstill {
  readonly #everyMs: number;
  #beat: number | undefined;
  #askedAt = 0;
  #standsMs = 0;

  constructor(everyMs: number) {
    this.#everyMs = everyMs;
  }

  /** For how long there was no beat. */
  ask(now: number, beat: number): number {
    const sinceMs = now - this.#askedAt;
    const isKnown = beat === this.#beat && sinceMs < 2 * this.#everyMs;
    this.#standsMs = isKnown ? this.#standsMs + sinceMs : 0;
    this.#beat = beat;
    this.#askedAt = now;
    return this.#standsMs;
  }
}
