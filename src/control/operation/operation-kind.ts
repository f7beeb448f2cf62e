import type { ResourceType } from '../../api/index.ts';
import type { JsonObject, LogFields } from '../../base/index.ts';
import type { Report } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { Operation } from './operation.ts';
import type { EndState, Snapshot } from './operation-run.ts';
import type { Stop } from './stop.ts';

/** Where an operation stands, whatever its kind calls it. */
export type Standing = 'new' | 'queued' | 'begun' | 'ended';

/** What became of a new object when it was looked at. */
export interface Admission {
  /** What the user left open; written whether it is refused or not. */
  change: { metadata?: JsonObject; spec?: JsonObject };
  /** Everything that is wrong with it, at once. */
  problems: readonly string[];
}

/** An operation that has not ended. */
export interface Pending {
  object: KubeObject;
  /** Also one that was begun a moment ago and whose object does not show it yet. */
  isRunning: boolean;
}

/** Whether it is an operation's turn, or what it waits for, with what its kind wants to say about that in status. */
export type Turn = 'begin' | { reason: string; status?: JsonObject };

export interface Ending {
  state: EndState;
  /** Why it failed; undefined otherwise. */
  reason?: string | undefined;
  /** Fields of status beside those that the kind gives every end. */
  status?: JsonObject;
}

/** What one attempt at an operation does. */
export interface Work {
  /** Every field of status that it owns while it runs, complete at each call. */
  statusOf(snapshot: Snapshot): JsonObject;
  /** To its end. Throws when that cannot be reached, and soon after the signal was aborted. */
  perform(signal: AbortSignal): Promise<Ending>;
  /**
   * After `perform` has thrown for good: puts in order what must not stay as it is, before the end is written. Gives
   * another ending when there was nothing to break off any more.
   */
  breakOff(why: { stop: Stop | undefined; ending: Ending }): Promise<Ending | undefined>;
  /** This process's turn is over: what must not wait for the next one. */
  handOver?(signal: AbortSignal): Promise<void>;
  /** One line for people, such as `12 items, 0 errors`. */
  summary(): string;
  onEnded?(ending: Ending): void;
  /** Whatever happened: lets go what it held. */
  close?(): void;
}

/** What a kind says about itself; everything else about a long operation is the same for all kinds. */
export interface OperationKind {
  readonly type: ResourceType;
  /** For messages: `backup`. */
  readonly noun: string;
  /** How many run at the same time. */
  readonly capacity: number;
  /** The condition of one whose turn it is not. */
  readonly waiting: { type: string; reason: string };
  /** What a user should know who has canceled one. */
  readonly afterCancel: string;
  readonly metrics: {
    begun: string;
    refused: string;
    ended: Readonly<Record<EndState, string>>;
    labelsOf(object: KubeObject): Record<string, string>;
  };
  standingOf(object: KubeObject): Standing;
  /** Fills in what the user left open and checks everything. Never throws for what a user wrote. */
  admit(object: KubeObject, signal: AbortSignal): Promise<Admission>;
  /** Status of one that is refused. */
  refused(admission: Admission, problems: string[]): JsonObject;
  /** Status of one that was admitted and waits; without it an admitted one stays new until its turn has come. */
  queued?(): JsonObject;
  turnOf(object: KubeObject, pending: readonly Pending[], signal: AbortSignal): Promise<Turn>;
  /** Status of one whose work begins, or begins again. */
  begun(object: KubeObject, now: number): JsonObject;
  /** Status of one that has ended. */
  ended(ending: Ending, now: number): JsonObject;
  /** What status told of an attempt before this one. */
  reportOf(object: KubeObject): Report | undefined;
  /** Throws `invalid` for an object that somebody has made unreadable. */
  open(operation: Operation): Work;
  logFields(object: KubeObject): LogFields;
  /** What is left to do of one that has ended, or that is being deleted and no longer runs. */
  readonly leftovers?: {
    has(object: KubeObject): boolean;
    /** Throws when it has to be tried again. */
    clear(object: KubeObject, signal: AbortSignal): Promise<void>;
  };
}
