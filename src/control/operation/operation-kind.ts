import type { ResourceType } from '../../api/index.ts';
import type { JsonObject, LogFields } from '../../base/index.ts';
import type { Report } from '../../core/progress/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { Commitment, ConditionChange } from '../runtime/index.ts';
import type { Operation } from './operation.ts';
import type { EndState, Snapshot } from './operation-run.ts';
import type { Stop } from './stop.ts';

/** Where an operation stands, whatever its kind calls it. */
export type Standing = 'new' | 'queued' | 'begun' | 'ended';

/** The result of validating a new object. */
export interface Admission {
  /** Defaults for what the user left open; written whether the object is refused or not. */
  change: { metadata?: JsonObject; spec?: JsonObject; status?: JsonObject };
  /** Everything that is wrong with it, at once. */
  problems: readonly string[];
  /** It is neither refused nor begun yet, and nothing is written: it is looked at again after that time. */
  lookAgainMs?: number | undefined;
}

/** An operation that has not ended. */
export interface Pending {
  object: KubeObject;
  /** Also true for an operation that began a moment ago and whose object does not show it yet. */
  isRunning: boolean;
}

/** Whether it is an operation's turn, or what it waits for, with the status that its kind reports about that. */
export type Turn = 'begin' | { reason: string; status?: JsonObject };

export interface Ending {
  state: EndState;
  /** Why it failed; undefined otherwise. */
  reason?: string | undefined;
  /** Status fields in addition to those that the kind writes for every end. */
  status?: JsonObject;
  /** A finalizer that goes with the end, in the same write. */
  finalizer?: Commitment['finalizer'];
}

/** What one attempt at an operation does. */
export interface Work {
  /** Every status field that it owns while it runs, complete at each call. */
  statusOf(snapshot: Snapshot): JsonObject;
  /** Runs to the end. Throws if that cannot be reached, and soon after the signal was aborted. */
  perform(signal: AbortSignal): Promise<Ending>;
  /**
   * Called when `perform` has failed for good, before the end is written: cleans up what must not stay as it is.
   * Returns another ending if the operation had in fact completed.
   */
  breakOff(why: { stop: Stop | undefined; ending: Ending }): Promise<Ending | undefined>;
  /** This process stops working on it: do what must not wait for the next process. */
  handOver?(signal: AbortSignal): Promise<void>;
  /** One line for people, such as `12 items, 0 errors`. */
  summary(): string;
  onEnded?(ending: Ending): void;
  /** Always called at the end: releases what it holds. */
  close?(): void;
}

/** What a kind defines; everything else about a long operation is the same for all kinds. */
export interface OperationKind {
  readonly type: ResourceType;
  /** For messages: `backup`. */
  readonly noun: string;
  /** How many run in parallel. */
  readonly capacity: number;
  /** How many objects are looked at in parallel; one unless given. */
  readonly workers?: number;
  /** The condition of an operation that waits for its turn. */
  readonly waiting: { type: string; reason: string };
  /** What a user who canceled one should know. */
  readonly afterCancel: string;
  readonly metrics: {
    begun: string;
    refused: string;
    /** Absent where the server counts the ends by what it sees in status, whoever wrote it. */
    ended?: Readonly<Record<EndState, string>>;
    labelsOf(object: KubeObject): Record<string, string>;
  };
  standingOf(object: KubeObject): Standing;
  /** Fills in what the user left open and checks everything. Never throws for user mistakes. */
  admit(object: KubeObject, signal: AbortSignal): Promise<Admission>;
  /** Status of a refused one. */
  refused(admission: Admission, problems: string[]): JsonObject;
  /** Status of an admitted one that waits; without it, an admitted one stays new until its turn comes. */
  queued?(): JsonObject;
  turnOf(object: KubeObject, pending: readonly Pending[], signal: AbortSignal): Promise<Turn>;
  /** Status of one whose work begins, or begins again. */
  begun(object: KubeObject, now: number): JsonObject;
  /** Status of one that has ended. */
  ended(ending: Ending, now: number): JsonObject;
  /** Further status of one that ends without its work: what is there of its parts was true while it ran. */
  abandoned?(object: KubeObject, ending: Ending, now: number): JsonObject;
  /** The last report in status, from an earlier attempt. */
  reportOf(object: KubeObject): Report | undefined;
  /** Throws `invalid` for an object that somebody made unreadable. */
  open(operation: Operation): Work;
  logFields(object: KubeObject): LogFields;
  /** Its log is stored nowhere else: the end of it stays where the process has its files. */
  readonly keepsLog?: boolean;
  /** One that began and is deleted while nobody works on it has its work break it off, not only its leftovers cleared. */
  readonly endsDeleted?: boolean;
  /** What is left to do for one that has ended, or that is being deleted and no longer runs. */
  readonly leftovers?: {
    has(object: KubeObject): boolean;
    /** For an operation that ends without its work: tells what is left in the same write as the end. */
    conditionOf?(object: KubeObject): ConditionChange | undefined;
    /** Throws if it has to be retried. */
    clear(object: KubeObject, signal: AbortSignal): Promise<void>;
  };
}
