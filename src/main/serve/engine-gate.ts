import { AppError, isAppError, messageOf } from '../../base/index.ts';
import { Door, firstAborted, Reflector, type Part, type ReflectorDeps } from '../../control/runtime/index.ts';
import type { EngineState, Namespaces } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { unfitFor } from './definitions.ts';
import { BUILT_ENGINES, isRunning, type Engine } from './engines.ts';

export interface GateOptions {
  namespaces: Namespaces;
  isChosen: boolean;
  /** Beside a rival all the same. */
  isForced: boolean;
  /** Whether the kinds that it needs have been listed; before that its caches are empty. */
  isSeen: () => boolean;
}

/** How often the definitions are looked at: somebody may install Headway's own while it runs. */
const LOOK_MS = 20_000;

/**
 * Whether one engine may work on one cluster, now: not while its rival runs there, nor while the definitions lack our
 * fields. What is in the way may pass, and may come.
 */
export class EngineGate implements Part {
  readonly name: string;
  readonly door: Door = new Door();
  readonly engine: Engine;
  readonly #options: GateOptions;
  readonly #deps: ReflectorDeps;
  readonly #rivals: Reflector;
  #rival: AppError | undefined;
  #unfit: AppError | undefined;
  /** What was told last. */
  #told = '';

  constructor(engine: Engine, options: GateOptions, deps: ReflectorDeps) {
    this.name = `gate of the ${engine.name} engine`;
    this.engine = engine;
    this.#options = options;
    this.#deps = { ...deps, log: deps.log.child({ engine: engine.name }) };
    const { target, selection } = engine.rival.look(options.namespaces);
    this.#rivals = new Reflector({ target, ...selection }, deps);
  }

  /** Whether it may ever be on in this process. */
  get isWanted(): boolean {
    return this.#options.isChosen && this.engine.create !== undefined;
  }

  /** What is in the way; undefined when nothing is. */
  obstacle(): AppError | undefined {
    // What has to be installed first, first.
    return this.#notBuilt() ?? this.#unfit ?? this.#rival;
  }

  state(): EngineState {
    if (!this.#options.isChosen) return { state: 'notChosen', reason: `--engines does not name ${this.engine.name}` };
    const obstacle = this.obstacle();
    if (obstacle === undefined) return { state: 'on' };
    const { message: reason, details } = obstacle;
    if (this.engine.create === undefined) return { state: 'notBuilt', reason };
    const hint = details?.['hint'];
    return { state: 'off', reason, ...(typeof hint === 'string' ? { hint } : {}) };
  }

  /** The first look, which decides whether there is anything to start for. Throws what a cluster that is away throws. */
  async look(signal: AbortSignal): Promise<void> {
    if (!this.isWanted) {
      if (this.#options.isChosen) this.#tell();
      return;
    }
    this.#rival = await this.#lookForRival(signal);
    await this.#lookAtDefinitions(signal);
    this.#tell();
  }

  /** A server that may not see whether it is alone is not alone, and its other engines go on. */
  async #lookForRival(signal: AbortSignal): Promise<AppError | undefined> {
    const { target, selection } = this.engine.rival.look(this.#options.namespaces);
    const found: KubeObject[] = [];
    try {
      for await (const page of this.#deps.kube.list(target, { ...selection, signal })) found.push(...page.items);
    } catch (error) {
      if (!isAppError(error, 'forbidden')) throw error;
      return new AppError('forbidden', `whether ${this.engine.rival.title} runs cannot be seen: ${error.message}`, {
        cause: error,
        details: { hint: 'Give the server the rights of deploy/server.yaml: headway install' },
      });
    }
    return this.#rivalAmong(found);
  }

  async run(signal: AbortSignal): Promise<void> {
    if (!this.isWanted) {
      await firstAborted([signal]);
      return;
    }
    const leave = this.#rivals.cache.subscribe(() => {
      this.#rival = this.#rivalAmong([...this.#rivals.cache.values()]);
      this.reconsider();
    });
    const watching = this.#rivals.run(signal);
    while (!signal.aborted) {
      await this.#lookAtDefinitions(signal).catch((error: unknown) => {
        // What is not known has not changed.
        this.#deps.log.debug('definitions not looked at', { err: messageOf(error) });
      });
      if (signal.aborted) break;
      // Rights may come, and with no rival there is no change to hear of.
      if (this.#rivals.isListed) this.#rival = this.#rivalAmong([...this.#rivals.cache.values()]);
      this.reconsider();
      // It only rejects on the stop signal, which the loop checks itself.
      await this.#deps.clock.sleep(LOOK_MS, signal).catch(() => undefined);
    }
    leave();
    await watching;
  }

  /** Opens or shuts its door by what is known now; to be called when what it needs has been listed. */
  reconsider(): void {
    if (!this.isWanted) return;
    const obstacle = this.obstacle();
    if (obstacle !== undefined) this.door.shut(obstacle);
    else if (this.#options.isSeen()) this.door.open();
    this.#tell();
  }

  async #lookAtDefinitions(signal: AbortSignal): Promise<void> {
    const found = await Promise.all(this.engine.needs.map((type) => unfitFor(this.#deps.kube, type, signal)));
    this.#unfit = found.find((each) => each !== undefined);
  }

  #rivalAmong(deployments: readonly KubeObject[]): AppError | undefined {
    const running = this.#options.isForced ? undefined : deployments.find(isRunning);
    return running === undefined ? undefined : besideRival(this.engine, running);
  }

  #notBuilt(): AppError | undefined {
    if (this.engine.create !== undefined) return undefined;
    return new AppError('unsupported', `this version of Headway has no ${this.engine.name} engine`, {
      details: {
        hint: `Choose from what there is: --engines ${BUILT_ENGINES.join(',')}\nOr only look: --engines none`,
      },
    });
  }

  /** Once for every change. */
  #tell(): void {
    const { state, reason = '' } = this.state();
    if (`${state} ${reason}` === this.#told) return;
    this.#told = `${state} ${reason}`;
    if (state === 'on') this.#deps.log.info('engine is on');
    else this.#deps.log.warn('engine is off', { reason });
  }
}

function besideRival({ name, rival }: Engine, { metadata }: KubeObject): AppError {
  const { namespace = '', name: deployment } = metadata;
  const stop = `Stop it with: kubectl -n ${namespace} scale deployment ${deployment} --replicas=0`;
  const others = `Or only look: headway server --engines none`;
  const force = name === 'velero' ? '\nOr, at your own risk: headway server --force-beside-velero' : '';
  return new AppError(
    'conflict',
    `${rival.title} runs in namespace ${namespace}, and two must not answer the same objects`,
    { details: { hint: `${stop}\n${others}${force}` } },
  );
}
