import type { Readable, Writable } from 'node:stream';
import type { Duplex } from 'node:stream';
import type { ApiObject } from '../object/index.ts';

/** What clients may want of a log. */
export interface LogQuery {
  previous: boolean;
  follow: boolean;
  withTimes: boolean;
  tailLines?: number;
  limitBytes?: number;
  sinceSeconds?: number;
  /** RFC 3339. */
  sinceTime?: string;
  stream?: 'stdout' | 'stderr';
}

export interface TalkQuery {
  hasInput: boolean;
  isTerminal: boolean;
}

/** Somebody to talk to: a process, or a container that one is attached to. */
export interface Talk {
  input: Writable | undefined;
  output: Readable;
  errors: Readable | undefined;
  ended: Promise<TalkEnd>;
  resize: (columns: number, rows: number) => void;
  /** The client has gone. */
  leave(): void;
}

export interface TalkEnd {
  code: number;
  /** Why there was nothing to talk to after all. */
  failure?: string;
}

/** The node, as clients reach it through the API server. Each refuses with the status that the client gets. */
export interface PodConnections {
  log(pod: ApiObject, container: string, query: LogQuery, signal: AbortSignal): Promise<AsyncIterable<Buffer>>;
  exec(pod: ApiObject, container: string, query: TalkQuery & { command: readonly string[] }): Promise<Talk>;
  attach(pod: ApiObject, container: string, query: TalkQuery): Promise<Talk>;
  /** Checks that ports of the pod can be had; the connection itself comes later. */
  ports(pod: ApiObject): (port: number) => Promise<Duplex>;
}
