import type { Clock, Log } from '../../base/index.ts';

export interface KandoDeps {
  version: string;
  input: NodeJS.ReadableStream;
  output: NodeJS.WritableStream;
  /** For people: what is wrong, and how far it is. */
  note: (line: string) => void;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  log: Log;
  signal: AbortSignal;
}
