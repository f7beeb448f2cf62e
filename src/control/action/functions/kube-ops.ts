import {
  AppError,
  backoffMs,
  isAppError,
  isObject,
  objectAt,
  textAt,
  type Backoff,
  type Json,
  type JsonObject,
} from '../../../base/index.ts';
import type { FunctionStats } from '../../../core/action/index.ts';
import type { KubeObject, NamedTarget } from '../../../edge/kube/index.ts';
import { readYaml } from '../../operation/index.ts';
import { CALL_DEADLINE_MS, readObject } from '../../runtime/objects/index.ts';
import type { ActionFunction, FunctionContext } from './function.ts';
import { madeName } from './made-name.ts';
import { referenceTarget } from './reference-target.ts';
import { servedType } from './served-type.ts';
import { Thirds } from './thirds.ts';

const LOOK: Backoff = { baseMs: 100, maxMs: 1_000 };
const MANAGER = 'kanister-create';

/** Creates, patches or deletes an object. */
export class KubeOps implements ActionFunction {
  readonly #context: FunctionContext;
  readonly #thirds = new Thirds();

  constructor(context: FunctionContext) {
    this.#context = context;
  }

  async exec(signal: AbortSignal): Promise<JsonObject> {
    const operation = this.#context.args.text('operation').toLowerCase();
    if (operation === 'create') return await this.#create(signal);
    if (operation === 'patch') return await this.#patch(signal);
    if (operation === 'delete') return await this.#delete(signal);
    throw new AppError('invalid', `invalid operation '${operation}'`);
  }

  stats(): FunctionStats {
    return this.#thirds.stats();
  }

  async #create(signal: AbortSignal): Promise<JsonObject> {
    const { kube, api, keep } = this.#context;
    const object = this.#named((await this.#spec(signal)) as KubeObject);
    const type = await api(signal).call(() => servedType(object, kube, signal));
    const { name } = object.metadata;
    const namespace = textAt(object, 'metadata', 'namespace') ?? this.#namespace();
    const target: NamedTarget = { type, name, ...(type.namespaced ? { namespace } : {}) };
    const output = outputOf(target);
    const isRepeated = this.#isRepeated(output);
    await keep(output);
    this.#thirds.reach(1);
    try {
      const options = { signal, deadlineMs: CALL_DEADLINE_MS, fieldManager: MANAGER };
      await api(signal).call(() => kube.create(target, object, options));
    } catch (error) {
      if (!isAppError(error, 'alreadyExists') || !isRepeated || !(await this.#isOfThisSet(target, signal))) throw error;
    }
    this.#thirds.reach(2);
    return output;
  }

  async #patch(signal: AbortSignal): Promise<JsonObject> {
    const { kube, api } = this.#context;
    const body = await this.#spec(signal);
    const target = this.#target();
    this.#thirds.reach(1);
    const options = { signal, deadlineMs: CALL_DEADLINE_MS };
    const send = (kind: 'strategic' | 'merge') => api(signal).call(() => kube.patch(target, { kind, body }, options));
    try {
      await send('strategic');
    } catch (error) {
      // Custom resources have no strategic patch.
      if (!isAppError(error, 'unsupported')) throw error;
      await send('merge');
    }
    this.#thirds.reach(2);
    return outputOf(target);
  }

  async #delete(signal: AbortSignal): Promise<JsonObject> {
    const { kube, api, clock, random, keep, wait, kept } = this.#context;
    const target = this.#target();
    const output = outputOf(target);
    const isRepeated = this.#isRepeated(output);
    const calls = api(signal);
    const found = await calls.call(() => readObject(target, { kube }, signal));
    // After a restart, one of the same name may be another, which somebody made since then.
    const uid = (isRepeated ? textAt(kept, 'uid') : undefined) ?? found?.metadata.uid;
    await keep(uid === undefined ? output : { ...output, uid });
    this.#thirds.reach(1);
    const preconditions = uid === undefined ? {} : { preconditions: { uid } };
    try {
      await calls.call(() => kube.delete(target, { signal, deadlineMs: CALL_DEADLINE_MS, ...preconditions }));
    } catch (error) {
      // A conflict: the one that was meant is gone.
      if (!isAppError(error, 'conflict') && !(isAppError(error, 'notFound') && isRepeated)) throw error;
    }
    this.#thirds.reach(2);
    const told = wait(new AppError('timeout', `${target.type.plural} ${target.name} has to be gone`), 'slow');
    try {
      for (let looks = 0; ; looks += 1) {
        const left = await calls.call(() => readObject(target, { kube }, signal));
        if (left === undefined || (uid !== undefined && left.metadata.uid !== uid)) return output;
        await clock.sleep(backoffMs(looks, LOOK, random()), signal);
      }
    } finally {
      told.end();
    }
  }

  #namespace(): string {
    return this.#context.args.textOr('namespace', 'default');
  }

  #target(): NamedTarget {
    const reference = this.#context.args.reference('objectReference');
    if (reference === undefined) throw new AppError('invalid', 'objectReference is required for patch and delete');
    return referenceTarget(reference, this.#namespace());
  }

  async #spec(signal: AbortSignal): Promise<JsonObject> {
    const text = this.#context.args.optionalText('spec');
    if (text === undefined) throw new AppError('invalid', 'spec is required for create and patch');
    const [read] = await readYaml([text], signal);
    if (read === undefined || 'problem' in read) throw new AppError('invalid', `spec: ${read?.problem ?? 'is empty'}`);
    const value = read.value as Json;
    if (!isObject(value)) throw new AppError('invalid', 'spec: expected one object as YAML');
    return value;
  }

  /** A name that the API server would make up is made here: after a restart it is the same. */
  #named(object: KubeObject): KubeObject {
    const { generateName = '', ...metadata } = objectAt(object, 'metadata');
    const given = textAt(metadata, 'name') ?? '';
    if (given !== '' || typeof generateName !== 'string' || generateName === '') {
      return { ...object, metadata: { ...metadata, name: given } };
    }
    return { ...object, metadata: { ...metadata, name: madeName(this.#context, generateName) } };
  }

  /** Whether an earlier process may have done it already. */
  #isRepeated(output: JsonObject): boolean {
    const { kept } = this.#context;
    return Object.entries(output).every(([field, value]) => kept[field] === value);
  }

  async #isOfThisSet(target: NamedTarget, signal: AbortSignal): Promise<boolean> {
    const { kube, api, actionSet } = this.#context;
    const found = await api(signal).call(() => readObject(target, { kube }, signal));
    const [made, begun] = [found?.metadata.creationTimestamp ?? '', actionSet.metadata.creationTimestamp ?? ''];
    return found !== undefined && made >= begun;
  }
}

/** As upstream fills in its reference: without the kind. */
function outputOf({ type, name, namespace = '' }: NamedTarget): JsonObject {
  const { version: apiVersion, group, plural: resource } = type;
  return { apiVersion, group, resource, name, namespace, kind: '' };
}
