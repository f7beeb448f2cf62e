import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ActionSet, Blueprint, NAMESPACE } from '../../src/api/index.ts';
import { AppError, objectAt, objectsAt, textAt, type JsonObject } from '../../src/base/index.ts';
import { actionSetKind } from '../../src/control/action/engine/action-set-kind.ts';
import type { ActionDeps } from '../../src/control/action/engine/deps.ts';
import type { FunctionContext } from '../../src/control/action/functions/function.ts';
import { KubeOps } from '../../src/control/action/functions/kube-ops.ts';
import { OperationController, OperationLogs } from '../../src/control/operation/index.ts';
import type { PodRunner } from '../../src/control/pods/index.ts';
import { NO_METRICS, Reflector, type EventInput } from '../../src/control/runtime/index.ts';
import type { FunctionStats } from '../../src/core/action/index.ts';
import { eventually } from '../eventually.ts';
import { FakeClock } from '../fake-clock.ts';
import { objectOf } from '../kube-kinds.ts';
import { phasesOf } from './action-cluster.ts';
import { ScriptedClient } from '../operation/client.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';

export const SPACE = 'shop';

/** What a phase does in place of its function. */
export interface ScriptedPhase {
  run?: (context: FunctionContext, signal: AbortSignal) => Promise<JsonObject>;
  cleanUp?: () => Promise<void>;
  stats?: () => FunctionStats;
}

/** The engine of ActionSets over a cluster in memory and a clock that stands still: its phases do what a test says. */
export class ScriptedEngine implements AsyncDisposable {
  readonly clock: FakeClock;
  readonly kube: ScriptedClient;
  readonly events: EventInput[] = [];
  /** By the name of the phase; one that is not here returns nothing. */
  readonly phases: Record<string, ScriptedPhase> = {};
  /** The phases whose function was executed, in order. */
  readonly ran: string[] = [];
  /** Of the process. */
  readonly stop = new AbortController();
  readonly #directory = mkdtempSync(join(tmpdir(), 'headway-engine-'));
  readonly #running: Promise<unknown>[] = [];

  /** With the cluster and the clock of an earlier process, or new ones. */
  constructor(before?: ScriptedEngine) {
    this.clock = before?.clock ?? new FakeClock();
    this.kube = before?.kube ?? new ScriptedClient(this.clock);
  }

  static async start(before?: ScriptedEngine): Promise<ScriptedEngine> {
    const engine = new ScriptedEngine(before);
    if (before === undefined) await engine.kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, SPACE));
    engine.#begin();
    return engine;
  }

  #begin(): void {
    const { clock, kube, stop, events } = this;
    const runtime = { clock, log: recordingLog(), random: () => 0 };
    const reflector = new Reflector({ target: { type: ActionSet } }, { ...runtime, kube });
    const deps: ActionDeps = {
      ...{ ...runtime, kube, events: { record: (event: EventInput) => events.push(event) } },
      metrics: { ...NO_METRICS, add: () => undefined, set: () => undefined, observe: () => undefined },
      logs: new OperationLogs(this.#directory, runtime),
      term: () => stop.signal,
      mayWrite: () => true,
      actionSets: reflector.cache,
      // Scripted phases need none.
      runner: () => ({}) as PodRunner,
      functions: {
        KubeOps: (context) => new KubeOps(context),
        ...Object.fromEntries(
          ['KubeTask', 'KubeExec', 'Wait'].map((name) => [name, (context: FunctionContext) => this.#scripted(context)]),
        ),
      },
    };
    const { parts } = new OperationController(actionSetKind(deps), deps, reflector.cache);
    for (const part of [reflector, ...parts]) this.#running.push(part.run(stop.signal).catch(() => undefined));
  }

  #scripted(context: FunctionContext): ReturnType<ActionDeps['functions'][string]> {
    const { ref, actionSet } = context;
    const [action] = [(actionSet['status'] as { actions: JsonObject[] }).actions[ref.action]];
    const phases = action?.['phases'] as { name: string }[] | undefined;
    const name = ref.phase === 'defer' ? 'defer' : (phases?.[ref.phase]?.name ?? '');
    const scripted = this.phases[name] ?? {};
    return {
      exec: async (signal) => {
        this.ran.push(name);
        return (await scripted.run?.(context, signal)) ?? {};
      },
      stats: () => scripted.stats?.() ?? { percent: 0 },
      ...(scripted.cleanUp !== undefined && { cleanUp: scripted.cleanUp }),
    };
  }

  async blueprint(actions: JsonObject): Promise<void> {
    await this.kube.create({ type: Blueprint, namespace: SPACE }, objectOf(Blueprint, 'b', { actions }));
  }

  async create(name: string, actions: string[], more: JsonObject = {}): Promise<void> {
    const object = { kind: 'Namespace', name: SPACE, namespace: SPACE };
    const specs = actions.map((action) => ({ name: action, blueprint: 'b', object }));
    await this.kube.create(
      { type: ActionSet, namespace: SPACE },
      objectOf(ActionSet, name, { spec: { actions: specs }, ...more }),
    );
  }

  async change(name: string, body: JsonObject): Promise<void> {
    await this.kube.patch({ type: ActionSet, namespace: SPACE, name }, { kind: 'merge', body });
  }

  status(name: string): JsonObject {
    return (this.kube.peek({ type: ActionSet, namespace: SPACE, name })?.['status'] ?? {}) as JsonObject;
  }

  /** Files are real, so the fake time must not run ahead of them. */
  async pass(ms: number, step = 100): Promise<void> {
    for (let passed = 0; passed < ms; passed += step) {
      await new Promise((resolve) => setTimeout(resolve, 1));
      await this.clock.advance(Math.min(step, ms - passed));
    }
  }

  /** Lets time pass until it is so. */
  async until(isSo: () => boolean, withinMs = 30_000): Promise<void> {
    await eventually(
      async () => {
        await this.pass(100);
        if (!isSo()) throw new Error('it is not so yet');
      },
      { withinMs },
    );
  }

  async ended(name: string): Promise<JsonObject> {
    await this.until(() => ['complete', 'failed'].includes(textAt(this.status(name), 'state') ?? ''));
    return this.status(name);
  }

  /** As a process that is told to stop does: what runs is handed over. */
  async leave(): Promise<void> {
    this.stop.abort(new AppError('canceled', 'the process stops'));
    let isOver = false;
    void Promise.all(this.#running).then(() => (isOver = true));
    await this.until(() => isOver);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.stop.signal.aborted) await this.leave();
    rmSync(this.#directory, { recursive: true, force: true });
  }
}

const engines: ScriptedEngine[] = [];

/** One that `endEngines` ends. */
export async function started(before?: ScriptedEngine): Promise<ScriptedEngine> {
  const engine = await ScriptedEngine.start(before);
  engines.push(engine);
  return engine;
}

export async function endEngines(): Promise<void> {
  for (const engine of engines.splice(0)) await engine[Symbol.asyncDispose]();
}

export const phase = (name: string, more: JsonObject = {}): JsonObject => ({
  ...{ func: 'KubeTask', name, args: { image: 'i', command: ['true'] } },
  ...more,
});

export const statesOf = (status: JsonObject, action = 0): (string | undefined)[] =>
  phasesOf(status, action).map((each) => textAt(each, 'state'));

export const deferOf = (status: JsonObject, action = 0): JsonObject =>
  objectAt(objectsAt(status, 'actions')[action], 'deferPhase');

/** Until its signal is aborted. */
export const forEver = (_: unknown, signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error);
    });
  });
