import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, parseJson, type Json } from '../../../base/index.ts';
import type { KopiaRepository } from '../../../core/volumes/index.ts';
import { runProgram, type ProgramEnd } from '../run-program.ts';
import { kopiaConfig, kopiaEnvironment, type KopiaSecrets } from './kopia-config.ts';
import { kopiaError } from './kopia-errors.ts';

export interface KopiaDeps {
  /** The program; found on the PATH if it has no slash. */
  program: string;
  repository: KopiaRepository;
  /** An existing directory of its own. kopia's configuration, cache and temporary files go there. */
  scratch: string;
  secrets: KopiaSecrets;
  env: Readonly<Record<string, string | undefined>>;
}

/** For everything but reading and writing a whole volume. */
const SHORT_MS = 600_000;

/** kopia with one repository. */
export class KopiaProgram {
  readonly #deps: KopiaDeps;
  readonly #env: Record<string, string>;
  readonly #common: readonly string[];

  constructor(deps: KopiaDeps) {
    this.#deps = deps;
    this.#env = kopiaEnvironment(deps.secrets, deps.scratch, deps.env);
    const config = join(deps.scratch, 'kopia.config');
    mkdirSync(deps.scratch, { recursive: true, mode: 0o700 });
    writeFileSync(config, kopiaConfig(deps.repository, join(deps.scratch, 'cache'), deps.secrets), { mode: 0o600 });
    this.#common = [
      `--config-file=${config}`,
      `--log-dir=${join(deps.scratch, 'log')}`,
      '--disable-file-logging',
      '--no-persist-credentials',
      // Maintenance is a job of its own: a mover must neither wait for it nor die of it.
      '--no-auto-maintenance',
      // A repository that somebody upgrades is an error at once, and not a wait without a word.
      '--upgrade-no-block',
    ];
  }

  get repository(): KopiaRepository {
    return this.#deps.repository;
  }

  get scratch(): string {
    return this.#deps.scratch;
  }

  /** Ends as the program ends; the caller judges how. */
  async run(
    args: readonly string[],
    signal: AbortSignal,
    onLine?: (line: string) => void,
    onOutput?: (text: string) => void,
  ): Promise<ProgramEnd> {
    const { program } = this.#deps;
    try {
      return await runProgram({ program, args: [...this.#common, ...args], env: this.#env, signal, onLine, onOutput });
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'notFound')) throw error;
      const hint = 'put kopia on the PATH, name it with --kopia, or use --uploader stream';
      throw new AppError('notFound', `run kopia: ${program} was not found`, {
        cause: error,
        details: { hint },
      });
    }
  }

  /** A short command that must succeed. `what` begins the message of its error. */
  async do(what: string, args: readonly string[], signal: AbortSignal): Promise<ProgramEnd> {
    const limit = AbortSignal.timeout(SHORT_MS);
    const end = await this.run(args, AbortSignal.any([signal, limit]));
    signal.throwIfAborted();
    if (limit.aborted) throw new AppError('timeout', `${what}: kopia did not end within ${SHORT_MS / 60_000} minutes`);
    if (end.exitCode !== 0) throw kopiaError(what, end.said);
    return end;
  }

  /** The same for one that prints JSON. */
  async ask(what: string, args: readonly string[], signal: AbortSignal): Promise<Json> {
    const { stdout } = await this.do(what, [...args, '--json'], signal);
    return parseAnswer(what, stdout);
  }
}

export function parseAnswer(what: string, stdout: string): Json {
  try {
    return parseJson(stdout) as Json;
  } catch (error) {
    throw new AppError('badAnswer', `${what}: kopia printed no JSON`, { cause: error });
  }
}
