import type { ResourceType } from '../../../api/index.ts';
import { AppError, backoffMs, isAppError, valueAt, type Backoff, type JsonObject } from '../../../base/index.ts';
import type { FunctionStats, WorkloadFacts } from '../../../core/action/index.ts';
import type { KubeObject, NamedTarget } from '../../../edge/kube/index.ts';
import { CALL_DEADLINE_MS } from '../../runtime/objects/index.ts';
import { whyNotScaled } from '../params/scaled.ts';
import { workloadType } from '../params/workload.ts';
import type { ActionFunction, FunctionContext } from './function.ts';

const LOOK: Backoff = { baseMs: 100, maxMs: 1_000 };
const MAX_REPLICAS = 2 ** 31 - 1;

/** Scales a workload, and waits until it is so. It cannot tell how far it is: 0 until done. */
export class ScaleWorkload implements ActionFunction {
  readonly #context: FunctionContext;

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const { args } = this.#context;
    const replicas = replicasOf(args.text('replicas'));
    const target = this.#workload();
    const before = await this.#read(target, signal);
    const original = await this.#original(before);
    await this.#scale(target, replicas, signal);
    if (args.flagOr('waitForReady', true)) await this.#settled(target, replicas, signal);
    return { originalReplicaCount: original };
  }

  stats(): FunctionStats {
    return { percent: 0 };
  }

  /** What the count was before the first time: after a restart it may be ours already. */
  async #original(workload: KubeObject): Promise<number> {
    const { kept } = this.#context;
    if (typeof kept['originalReplicaCount'] === 'number') return kept['originalReplicaCount'];
    const given = valueAt(workload, 'spec', 'replicas');
    const original = typeof given === 'number' ? given : 1;
    await this.#context.keep({ originalReplicaCount: original });
    return original;
  }

  #workload(): NamedTarget {
    const { args, target, facts } = this.#context;
    const { workload } = facts;
    const kind = args.textOr('kind', workload?.kind ?? '');
    const name = args.textOr('name', workload?.name ?? '');
    const namespace = args.textOr('namespace', workload?.namespace ?? '');
    if (kind === '' || name === '' || namespace === '') {
      const message = 'Workload information not available via defaults or namespace/name/kind parameters';
      throw new AppError('invalid', `${message} (the object is ${target.kind} ${target.name})`);
    }
    return { type: typeOf(kind), namespace, name };
  }

  async #read(target: NamedTarget, signal: AbortSignal): Promise<KubeObject> {
    const { kube, api } = this.#context;
    try {
      return await api(signal).call(() => kube.get(target, { signal, deadlineMs: CALL_DEADLINE_MS }));
    } catch (error) {
      if (!isAppError(error, 'notFound')) throw error;
      const { type, name } = target;
      const missing = `${type.plural}.${type.group} "${name}" not found`;
      throw new AppError('invalid', `Could not get ${type.kind}, to figure out replicas: ${missing}`);
    }
  }

  async #scale(target: NamedTarget, replicas: number, signal: AbortSignal): Promise<void> {
    const { kube, api } = this.#context;
    const patch = { kind: 'merge', body: { spec: { replicas } } } as const;
    await api(signal).call(() => kube.patch(target, patch, { signal, deadlineMs: CALL_DEADLINE_MS }));
  }

  async #settled(target: NamedTarget, replicas: number, signal: AbortSignal): Promise<void> {
    const { clock, random, kube, api, wait } = this.#context;
    const calls = api(signal);
    const told = wait(new AppError('timeout', `${target.type.kind} ${target.name} has to be scaled`), 'slow');
    try {
      for (let looks = 0; ; looks += 1) {
        const workload = await this.#read(target, signal);
        const why = await calls.call(() => whyNotScaled(workload, replicas, kube, signal));
        if (why === undefined) return;
        told.tell(new AppError('timeout', `${target.type.kind} ${target.name} has to be scaled: ${why}`));
        await clock.sleep(backoffMs(looks, LOOK, random()), signal);
      }
    } finally {
      told.end();
    }
  }
}

/** In upstream's words. */
function replicasOf(text: string): number {
  const value = /^[+-]?\d{1,10}$/.test(text) ? Number(text) : undefined;
  if (value === undefined) {
    throw new AppError('invalid', `Cannot convert ${text} to int: strconv.ParseInt: parsing "${text}": invalid syntax`);
  }
  if (value < 0 || value > MAX_REPLICAS) throw new AppError('invalid', `replicas: expected 0 or more, got ${text}`);
  return value;
}

const KINDS: Readonly<Record<string, WorkloadFacts['kind']>> = {
  deployment: 'Deployment',
  statefulset: 'StatefulSet',
  deploymentconfig: 'DeploymentConfig',
};

function typeOf(kind: string): ResourceType {
  const known = Object.hasOwn(KINDS, kind.toLowerCase()) ? KINDS[kind.toLowerCase()] : undefined;
  if (known === undefined) throw new AppError('invalid', `Workload type not supported ${kind}`);
  return workloadType(known);
}
