import { isAppError, messageOf, textAt, type JsonObject } from '../../../../base/index.ts';
import type { Outcome } from '../../../../core/progress/index.ts';
import { aboutItem, isOurs, type RestoreNames } from '../../../../core/restore/index.ts';
import type { KubeObject, NamedTarget } from '../../../../edge/kube/index.ts';
import type { ExecHooks } from './exec-hooks.ts';
import type { RestoreContext } from '../context.ts';
import { isPod, targetOf, wantedOf, type Sending } from './sending.ts';
import { settleExisting } from './settle-existing.ts';
import { waitForCrd, waitUntilGone } from './waits.ts';

export interface ItemSenderDeps {
  context: RestoreContext;
  names: RestoreNames;
  hooks: ExecHooks;
  /** Called when a CustomResourceDefinition serves its type. */
  onServed: (groupResource: string) => void;
}

/** Something else may delete and recreate the object between our requests, but hardly more often than this. */
const TRIES = 3;

/** Sends an item to the API server: creates it, or decides what to do about an existing one. */
export class ItemSender {
  readonly #deps: ItemSenderDeps;

  constructor(deps: ItemSenderDeps) {
    this.#deps = deps;
  }

  async send(sending: Sending): Promise<Outcome> {
    for (let attempt = 1; ; attempt += 1) {
      let created: KubeObject | undefined;
      try {
        created = await this.#create(sending);
      } catch (error) {
        if (!mayExist(error)) throw error;
        const current = await this.#read(targetOf(sending));
        const outcome = current === undefined ? undefined : await this.#settle(sending, current);
        if (outcome !== undefined) return outcome;
        if (attempt === TRIES || !isAppError(error, 'alreadyExists')) throw error;
        continue;
      }
      await this.#afterCreation(sending, created);
      return 'created';
    }
  }

  /** As the server has it, if that is needed: what admission adds to a pod may be hooks, too. */
  async #create(sending: Sending): Promise<KubeObject | undefined> {
    const { context, hooks } = this.#deps;
    const { deps, api, changes: signal } = context;
    const options = isPod(sending) ? { signal, readIf: hooks.mark } : { signal };
    return await api.call(() => deps.kube.createText(targetOf(sending), sending.text, options));
  }

  /** Undefined when it is gone again. */
  async #read(target: NamedTarget): Promise<KubeObject | undefined> {
    const { deps, api, changes: signal } = this.#deps.context;
    try {
      return await api.call(() => deps.kube.get(target, { signal, isLean: true }));
    } catch (error) {
      if (isAppError(error, 'notFound')) return undefined;
      throw error;
    }
  }

  /** Undefined when the object is gone and must be created after all. */
  async #settle(sending: Sending, current: KubeObject): Promise<Outcome | undefined> {
    const { context, names } = this.#deps;
    const { restore, object, status } = context;
    const { type } = sending;
    if (type.group === '' && type.plural === 'namespaces') {
      if (current.metadata.deletionTimestamp !== undefined) {
        await waitUntilGone(context, type, current.metadata.name);
        return undefined;
      }
      // A namespace gets no label that says which restore created it.
      return status.isResumed && wasCreatedSince(current, status.startTimestamp) ? 'created' : 'skipped';
    }
    const identity = { name: names.restoreName, createdAt: object.metadata.creationTimestamp ?? '' };
    if (isOurs(current, identity)) {
      await this.#afterCreation(sending, current);
      return 'created';
    }
    const policy = restore.spec.existingResourcePolicy === 'update' ? 'update' : 'none';
    const wanted = wantedOf(sending);
    return await settleExisting(context, { ...sending, wanted, current, policy, names, target: targetOf(sending) });
  }

  async #afterCreation(sending: Sending, created: KubeObject | undefined): Promise<void> {
    const { context, hooks, onServed } = this.#deps;
    const { after, type } = sending;
    if (after.status !== undefined) await this.#patch(sending, { status: after.status }, true);
    if (after.managedFields !== undefined) {
      await this.#patch(sending, { metadata: { managedFields: after.managedFields } }, false);
    }
    if (isPod(sending) && created !== undefined) hooks.start(created);
    if (type.plural === 'customresourcedefinitions') {
      const wanted = wantedOf(sending);
      await waitForCrd(context, type, wanted);
      onServed(`${textAt(wanted, 'spec', 'names', 'plural') ?? ''}.${textAt(wanted, 'spec', 'group') ?? ''}`);
    }
  }

  /** A failure after creation is only a warning, because the object exists. */
  async #patch(sending: Sending, body: JsonObject, isStatus: boolean): Promise<void> {
    const { deps, api, changes: signal, findings } = this.#deps.context;
    const { type, item } = sending;
    const hasStatus = type.subresources.some(({ name }) => name === 'status');
    const options = { signal, ...(isStatus && hasStatus ? { subresource: 'status' as const } : {}) };
    try {
      await api.call(() => deps.kube.patchUnread(targetOf(sending), { kind: 'merge', body }, options));
    } catch (error) {
      signal.throwIfAborted();
      const what = isStatus ? 'its status' : 'its managedFields';
      const text = `${type.kind} ${item.target.name} was restored, but not ${what}: ${messageOf(error)}`;
      findings.warn(aboutItem(item.target.namespace), text);
    }
  }
}

/**
 * A server checks quotas, admission and ports before it looks for the name, so an object that it refuses to create may
 * exist already, and then there was nothing to create.
 */
function mayExist(error: unknown): boolean {
  return isAppError(error, 'alreadyExists', 'invalid', 'forbidden', 'serverError');
}

function wasCreatedSince(object: KubeObject, time: string): boolean {
  const created = Date.parse(object.metadata.creationTimestamp ?? '');
  return created >= Date.parse(time);
}
