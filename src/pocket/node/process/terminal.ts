import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import type { Programs } from '../machine/index.ts';
import { childrenOf, terminalOf } from './process-tree.ts';
import { shellLine } from './words.ts';

/**
 * The same words on a terminal of their own, which only a program can make: Node has none. `hasReport`: their descriptor 2
 * is a report, and 4 the errors of the process.
 */
export function onTerminal(programs: Programs, words: readonly string[], hasReport = false): string[] {
  const streams = hasReport ? 'exec 4>&2 2>&3; ' : '';
  const script = [programs.path('script'), '-qefc', `${streams}exec ${shellLine(words)}`, '/dev/null'];
  return [programs.path('setpriv'), '--pdeathsig', 'KILL', '--', ...script];
}

const LOOKS = 50;
const LOOK_EVERY_MS = 20;
const SET_WITHIN_MS = 5000;

/** Gives the terminal of a process another size; the newest size wins. */
export class TerminalSize {
  readonly #stty: string;
  readonly #pid: number;
  #wanted: { columns: number; rows: number } | undefined;
  #isBusy = false;

  /** `pid` is the process that made the terminal. */
  constructor(stty: string, pid: number) {
    this.#stty = stty;
    this.#pid = pid;
  }

  set(columns: number, rows: number): void {
    this.#wanted = { columns, rows };
    if (!this.#isBusy) void this.#work();
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    for (let wanted = this.#wanted; wanted !== undefined; wanted = this.#wanted) {
      this.#wanted = undefined;
      const terminal = await this.#find();
      if (terminal !== undefined) await this.#apply(terminal, wanted);
    }
    this.#isBusy = false;
  }

  /** It is there a moment after its process. */
  async #find(): Promise<string | undefined> {
    for (let look = 0; look < LOOKS; look += 1) {
      const [child] = childrenOf(this.#pid);
      const terminal = child === undefined ? undefined : terminalOf(child);
      if (terminal !== undefined) return terminal;
      await delay(LOOK_EVERY_MS);
    }
    return undefined;
  }

  #apply(terminal: string, { columns, rows }: { columns: number; rows: number }): Promise<void> {
    const args = ['-F', terminal, 'cols', String(columns), 'rows', String(rows)];
    return new Promise((resolve) => {
      // A terminal that is gone meanwhile needs no size.
      execFile(this.#stty, args, { timeout: SET_WITHIN_MS }, () => {
        resolve();
      });
    });
  }
}
