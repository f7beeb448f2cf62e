import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type Pocket, type PodProcesses } from '../../src/pocket/index.ts';
import { programPath } from '../bed/cache.ts';
import { type PartName, partNamed } from '../bed/parts.ts';
import { eventually } from '../eventually.ts';

/** A command that takes longer is ended. */
const DEADLINE_MS = 50_000;

/** For a test of several commands, each of which takes a second on a busy machine. */
export const TEST_MS = 60_000;

/** `kubectl edit` opens this file of the terminal. */
export const EDITOR = 'editor';

/** One word or part of one, whatever is in it, or several words. */
type Value = string | number | readonly string[];

/** A command written as a user types it, with values in between. */
export type Command<T> = (typed: TemplateStringsArray, ...values: Value[]) => T;

export interface Refusal {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A command that goes on, such as `get -w`; it ends when its scope does. */
export interface Session extends AsyncDisposable {
  /** Everything printed so far. */
  text(): string;
  /** Waits until this has been printed. */
  prints(text: string): Promise<void>;
  /** Waits for the end. */
  exitCode(): Promise<number | null>;
}

export interface Program {
  /** Runs to the end and returns what was printed; throws when the exit code is not 0. */
  run: Command<Promise<string>>;
  /** Runs to the end, which must not be 0. */
  refused: Command<Promise<Refusal>>;
  start: Command<Session>;
}

export interface Terminal {
  program: (path: string) => Program;
  kubectl: Command<Promise<string>>;
  refused: Command<Promise<Refusal>>;
  start: Command<Session>;
  /** Makes a namespace, and returns its name. */
  namespace: (prefix?: string) => Promise<string>;
  /** Writes a file and returns its path. */
  file: (name: string, text: string) => string;
  pocket: () => Pocket;
}

export function programOf(part: PartName): string {
  return programPath(partNamed(part));
}

/** A pocket cluster for the suite around this call, and a shell at it with a home of its own. */
export function openTerminal({ pods }: { pods?: PodProcesses } = {}): Terminal {
  let pocket: Pocket | undefined;
  let home = '';
  let namespaces = 0;
  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'headway-kubectl-'));
    mkdirSync(join(home, 'files'));
    const dir = join(home, 'pocket');
    const options = { dir, name: 'kubectl', port: 0, clock: systemClock, log: NO_LOG };
    pocket = await startPocket(pods === undefined ? options : { ...options, pods });
  });
  afterAll(async () => {
    await pocket?.close();
    rmSync(home, { recursive: true, force: true, maxRetries: 5 });
  });
  const running = (): Pocket => {
    if (pocket === undefined) throw new Error('use the terminal: expected a running pocket cluster, there is none yet');
    return pocket;
  };
  const program = (path: string): Program => {
    const begin = (words: readonly string[]): Child => {
      const env = { HOME: home, TMPDIR: home, TZ: 'UTC', KUBE_EDITOR: join(home, 'files', EDITOR) };
      return new Child(path, words, { ...env, PATH: process.env['PATH'] ?? '', KUBECONFIG: running().kubeconfig });
    };
    return {
      run: async (...line) => await begin(wordsOf(...line)).success(),
      refused: async (...line) => await begin(wordsOf(...line)).failure(),
      start: (...line) => begin(wordsOf(...line)),
    };
  };
  const kubectl = program(programOf('kubectl'));
  return {
    program,
    kubectl: kubectl.run,
    refused: kubectl.refused,
    start: kubectl.start,
    namespace: async (prefix = 'test') => {
      namespaces += 1;
      const name = `${prefix}-${namespaces}`;
      await kubectl.run`create namespace ${name}`;
      return name;
    },
    file: (name, text) => {
      const path = join(home, 'files', name);
      writeFileSync(path, text, { mode: 0o755 });
      return path;
    },
    pocket: running,
  };
}

/** Splits what was typed at blanks; a value never is. */
export function wordsOf(typed: TemplateStringsArray, ...values: Value[]): string[] {
  const words: string[] = [];
  let isOpen = false;
  const add = (piece: string): void => {
    words.push(isOpen ? `${words.pop() ?? ''}${piece}` : piece);
    isOpen = true;
  };
  typed.forEach((text, index) => {
    for (const piece of text.split(/(\s+)/).filter((part) => part !== '')) {
      if (/^\s/.test(piece)) isOpen = false;
      else add(piece);
    }
    const value = values[index];
    if (typeof value === 'string' || typeof value === 'number') add(String(value));
    else words.push(...(value ?? []));
  });
  return words;
}

class Child implements Session {
  readonly #child;
  readonly #line: string;
  readonly #closed: Promise<unknown>;
  #stdout = '';
  #stderr = '';

  constructor(program: string, words: readonly string[], env: Readonly<Record<string, string>>) {
    this.#line = words.join(' ');
    this.#child = spawn(program, words, { env, stdio: ['ignore', 'pipe', 'pipe'], timeout: DEADLINE_MS });
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => (this.#stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => (this.#stderr += text));
    this.#closed = once(this.#child, 'close');
  }

  text(): string {
    return this.#stdout + this.#stderr;
  }

  async prints(text: string): Promise<void> {
    await eventually(
      () => {
        if (!this.text().includes(text)) throw this.#problem(`expected it to print ${JSON.stringify(text)}`);
      },
      { withinMs: 15_000 },
    );
  }

  async exitCode(): Promise<number | null> {
    await this.#closed;
    return this.#child.exitCode;
  }

  async success(): Promise<string> {
    if ((await this.exitCode()) !== 0) throw this.#problem('expected exit code 0');
    return this.#stdout;
  }

  async failure(): Promise<Refusal> {
    const code = await this.exitCode();
    if (code === 0) throw this.#problem('expected another exit code than 0');
    return { code, stdout: this.#stdout, stderr: this.#stderr };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.kill();
    await this.#closed;
  }

  #problem(expected: string): Error {
    return new Error(`${this.#line}: ${expected}, got ${this.#child.exitCode ?? 'no end'} and\n${this.text()}`);
  }
}
