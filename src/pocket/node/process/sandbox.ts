import type { Readable, Writable } from 'node:stream';
import type { Bind, RootBase } from '../root/index.ts';
import type { Exit } from './spawn.ts';
import type { Identity } from './words.ts';

/** One container as its processes need it, with every name looked up already. */
export interface ContainerSpec {
  /** Its own folder, empty. */
  dir: string;
  hostname: string;
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  workingDir: string;
  identity: Identity;
  isPrivileged: boolean;
  base: RootBase;
  binds: readonly Bind[];
  links: readonly (readonly [path: string, target: string])[];
  folders: readonly string[];
  isReadOnly: boolean;
  /** Folders of the machine that are not to be seen. */
  masks: readonly string[];
  hasInput: boolean;
  isTerminal: boolean;
}

/** A process as those see it who talk to it. */
export interface Conversation {
  input: Writable | undefined;
  output: Readable;
  errors: Readable | undefined;
  /** Of the process itself; what it said may still be on its way. */
  ended: Promise<Exit>;
  /** Nothing, where it has no terminal. */
  resize: (columns: number, rows: number) => void;
  /** At once, and all of it. */
  kill(): void;
}

export interface RunOptions {
  command: readonly string[];
  hasInput: boolean;
  isTerminal: boolean;
}

export interface ContainerProcess extends Conversation {
  /** Resolves when the container's own program runs; rejects with the reason when it never will. */
  up: Promise<void>;
  /** To its first process. */
  signal(signal: NodeJS.Signals): void;
  /** Another process in it. */
  run(options: RunOptions): Promise<Conversation>;
  /** Its processes and those that were started in it, up to a limit. */
  processes(limit: number): number[];
}

/** How containers become processes on this machine. */
export interface Sandbox {
  readonly kind: 'namespaces' | 'plain';
  start(spec: ContainerSpec): Promise<ContainerProcess>;
}

/** Ends processes if we are ended; a negative number is a group of them. */
export interface Guard {
  watch(pid: number, ended: Promise<unknown>): void;
}
