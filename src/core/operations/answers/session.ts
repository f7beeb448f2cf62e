import type { OperationGroup } from '../words.ts';

/** `GET /api/namespaces` */
export interface NamespacesAnswer {
  namespaces: string[];
}

/** `GET /api/session` */
export interface SessionAnswer {
  version: string;
  /** To be sent as header `x-csrf-token` with every change; absent without a session cookie. */
  csrf?: string;
  clusters: SessionCluster[];
}

export interface SessionCluster {
  name: string;
  /** How to log in: with a token of the cluster, or with the link that the server printed. */
  login: 'token' | 'link';
  /** Your identity in the cluster; absent when you are not logged in to it. */
  user?: { name: string; groups: string[] };
  /** Where the objects of velero.io are. */
  namespace: string;
  /** False while the server cannot watch the cluster; what is shown of it may be stale. */
  isWatched: boolean;
  /** Why the server does not work on the cluster; only for users who are logged in to it. */
  problem?: string;
  /** What is seen and done of each API group there; only for users who are logged in to it. */
  groups?: SessionGroup[];
}

/** One API group in one cluster. */
export interface SessionGroup {
  name: OperationGroup;
  /** Whether any of its kinds is in the cluster, so that there is something to see. */
  isSeen: boolean;
  /** Kinds whose definitions are not in the cluster, or that the server may not list. */
  missing: string[];
  engine: EngineState;
}

/**
 * Whether this server's own engine works on a group. Whoever else does (Velero, Kanister, MTC), it is seen all the same.
 * `off`: something is in the way, which may pass. `notChosen`: `--engines` does not name it. `notBuilt`: this version
 * has no such engine.
 */
export interface EngineState {
  state: 'on' | 'off' | 'notChosen' | 'notBuilt';
  /** Why it is not on, in a sentence. */
  reason?: string;
  /** What would help, a line each; most have a command. */
  hint?: string;
}
