import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { ProgramEnd } from '../run-program.ts';
import type { KopiaProgram } from './kopia-program.ts';

/** kopia had another name for it before 0.22.3, and none in its first years. */
const UNKNOWN_FLAG = /unknown long flag '--metrics-store-on-exit'/;

/** One run of kopia that tells at its end what it has counted. */
export class KopiaMetrics {
  readonly #kopia: KopiaProgram;
  readonly #folder: string;

  constructor(kopia: KopiaProgram) {
    this.#kopia = kopia;
    this.#folder = join(kopia.scratch, 'metrics');
  }

  /** As `KopiaProgram.run`. A kopia that cannot tell does the same without. */
  async run(args: readonly string[], signal: AbortSignal, onLine: (line: string) => void): Promise<ProgramEnd> {
    rmSync(this.#folder, { recursive: true, force: true });
    const telling = ['--metrics-store-on-exit', `--diagnostics-output-directory=${this.#folder}`];
    const end = await this.#kopia.run([...telling, ...args], signal, onLine);
    if (end.exitCode === 0 || !end.said.some((line) => UNKNOWN_FLAG.test(line))) return end;
    return await this.#kopia.run(args, signal, onLine);
  }

  /** In the format of Prometheus; empty if it has not told. */
  read(): string {
    try {
      const [run] = readdirSync(this.#folder);
      return readFileSync(join(this.#folder, run ?? '', 'kopia-metrics.prom'), 'utf8');
    } catch {
      // Then nothing is known, and nothing may be concluded from it.
      return '';
    }
  }
}
