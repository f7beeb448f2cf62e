import type { LineFields } from './log-line.ts';

/** Of one follower, who is told how many more there were. */
const MAX_LINES = 1000;

type Phase = NonNullable<LineFields['phase']>;

interface Told {
  /** Where the lines of the phase come from: its pods, or the operation's own log. */
  by?: 'pods' | 'log';
  listeners: number;
  lines: string[];
  /** How many there was no room for. */
  left: number;
}

/**
 * What the operation's own log has of pods, by phase, until they are heard themselves. The pod of a short phase may be
 * removed before its log is opened by whoever follows, and that of an earlier phase is gone: their lines come from here.
 */
export class UnheardLines {
  readonly #phases = new Map<string, Told>();
  #count = 0;

  add(phase: Phase, line: string): void {
    const told = this.#of(phase);
    if (told.by === 'pods') return;
    if (this.#count >= MAX_LINES) {
      told.left += 1;
      return;
    }
    told.lines.push(line);
    this.#count += 1;
  }

  /** Before the log of one of its pods is opened. False when its lines have been told already. */
  listen(phase: Phase): boolean {
    const told = this.#of(phase);
    if (told.by === 'log') return false;
    told.listeners += 1;
    return true;
  }

  heard(phase: Phase): void {
    const told = this.#of(phase);
    told.by = 'pods';
    told.left = 0;
    this.#count -= told.lines.splice(0).length;
  }

  stopListening(phase: Phase): void {
    this.#of(phase).listeners -= 1;
  }

  /** Of a phase that has ended; none while one of its pods is listened to. */
  take(phase: Phase): { lines: string[]; left: number } {
    const told = this.#of(phase);
    const { left } = told;
    if (told.listeners > 0 || told.lines.length + left === 0) return { lines: [], left: 0 };
    told.by = 'log';
    told.left = 0;
    this.#count -= told.lines.length;
    return { lines: told.lines.splice(0), left };
  }

  #of({ action, name }: Phase): Told {
    const key = `${action}/${name}`;
    const known = this.#phases.get(key) ?? { listeners: 0, lines: [], left: 0 };
    this.#phases.set(key, known);
    return known;
  }
}
