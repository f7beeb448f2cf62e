import type { AppError, Clock, JsonObject, Log } from '../../../base/index.ts';
import type { ActionFacts, FunctionDeclaration, FunctionStats, PhaseRef, Target } from '../../../core/action/index.ts';
import type { KubeClient, KubeObject } from '../../../edge/kube/index.ts';
import type { PatientCalls, Wait } from '../../operation/index.ts';
import type { ArgumentReader } from './argument-reader.ts';
import type { FunctionPods } from './function-pods.ts';
import type { ProfileAccess } from './profile-access.ts';

/** One run of one phase. It is made for that run and thrown away after it, so that no two runs share anything. */
export interface ActionFunction {
  /**
   * Does the work and cleans up behind it; what it returns are the outputs of the phase. Throws why it failed, and soon
   * after the signal was aborted. After a restart it is called again for the same attempt where its declaration says
   * `repeat` or `pod`: it must find what it has done before, by names that are always the same and by `kept`.
   */
  exec(signal: AbortSignal): Promise<JsonObject>;
  /** Called in place of `exec` after a restart when the work had been `executed`: only removes what is left of it. */
  cleanUp?(signal: AbortSignal): Promise<void>;
  /** How far it is; asked a few times a second. May throw: that is logged, and the last number stays. */
  stats(): FunctionStats;
}

/** Whose line it is: whoever may not read logs there does not get to see it. */
export interface Printer {
  namespace: string;
  /** The pod of the user in which the command was run, and whose own log does not have the line. */
  exec?: string;
}

/** Everything a function may use. */
export interface FunctionContext {
  readonly declaration: FunctionDeclaration;
  /** Rendered and checked against the declaration; raw where that says `rendersArguments: false`. */
  readonly args: ArgumentReader;
  /** What templates see: object, workload, secrets, outputs of earlier phases. */
  readonly facts: ActionFacts;
  /** The object that the action is done to. */
  readonly target: Target;
  /** Of the ActionSet; upstream means its controller's own where it leaves the namespace out. */
  readonly namespace: string;
  readonly actionSet: KubeObject;
  readonly ref: PhaseRef;
  /** Counted from 1; each attempt has pods of its own. */
  readonly attempt: number;
  readonly kube: KubeClient;
  /** Requests to the API server that wait while it does not answer. */
  readonly api: (signal: AbortSignal) => PatientCalls;
  readonly clock: Clock;
  readonly random: () => number;
  /** The log of the operation, which users read. Never write a secret to it. */
  readonly log: Log;
  /** One line that a program of the user printed, for the log of the operation. */
  readonly output: (line: string, printer: Printer) => void;
  readonly pods: FunctionPods;
  /** The Profile of the action with its credentials. Throws `invalid` where the action has none. */
  readonly profile: () => ProfileAccess;
  /** Tells in status what is waited for; must be ended. */
  readonly wait: (cause: AppError, kind: 'away' | 'slow') => Wait;
  /** Renders one template with what the phase sees; for functions that render their arguments by themselves. */
  readonly render: (text: string, argument: string) => string;
  /** What an earlier process kept for this phase. */
  readonly kept: JsonObject;
  /**
   * Stores fields among the outputs of the phase, and returns when they are stored: before something is done that must
   * not be forgotten, such as the replica count that a workload had.
   */
  readonly keep: (fields: JsonObject) => Promise<void>;
  /** Stores how the work ended, before it is cleaned up: after a restart it is not done again. */
  readonly executed: (outcome: { output: JsonObject } | { reason: string }) => Promise<void>;
  /** Not aborted as long as this process may act for the set; it outlives a cancel. For cleaning up. */
  readonly lasting: AbortSignal;
  /** How long one attempt may take; undefined for as long as it wants. */
  readonly timeoutMs: number | undefined;
}

export type FunctionFactory = (context: FunctionContext) => ActionFunction;
