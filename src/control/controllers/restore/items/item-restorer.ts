import { AppError, stringifyJson, textAt, toAppError, type JsonObject } from '../../../../base/index.ts';
import { itemName, type ItemKey, type Outcome } from '../../../../core/progress/index.ts';
import {
  aboutItem,
  explainLeftOut,
  readsManagers,
  type ArchiveKey,
  type PrepareDeps,
  type Prepared,
  type WorkItem,
} from '../../../../core/restore/index.ts';
import type { Archive } from '../../../../edge/archive/index.ts';
import type { ApiResource } from '../../../../edge/kube/index.ts';
import type { ItemSender } from './item-sender.ts';
import type { Need } from './plan-runner.ts';
import { wantedOf, type Sending } from './sending.ts';
import type { RestoredItems } from '../restored-items.ts';
import { prepareOne } from '../rules/prepare-one.ts';
import type { ServedTypes } from '../source/served-types.ts';
import type { RestoreContext } from '../context.ts';
import type { RestoreVolumes } from '../volumes/restore-volumes.ts';

export interface ItemRestorerDeps {
  context: RestoreContext;
  archive: Archive;
  types: ServedTypes;
  prepare: PrepareDeps;
  sender: ItemSender;
  restored: RestoredItems;
  /** What an item has to wait for before it is sent. */
  volumes: Pick<RestoreVolumes, 'ready'>;
}

interface Ready {
  /** Its apiVersion and kind. */
  what: JsonObject;
  sending: Sending;
}

/**
 * Restores one item from the archive into the cluster. Its result is one log line, and a failure never stops other
 * items.
 */
export class ItemRestorer {
  readonly #deps: ItemRestorerDeps;

  constructor(deps: ItemRestorerDeps) {
    this.#deps = deps;
  }

  async restore(item: WorkItem, need: Need): Promise<Outcome> {
    const { context, restored } = this.#deps;
    const { log, signal, api, findings } = context;
    signal.throwIfAborted();
    try {
      const outcome = await this.#restoreItem(item, need);
      log.info('restored item', { ...item.target, outcome });
      return outcome;
    } catch (error) {
      signal.throwIfAborted();
      // Without a cluster there is no restore at all, and the next item would fail too.
      if (api.isExhausted) throw error;
      const { message } = toAppError(error);
      findings.error(aboutItem(item.target.namespace), `error restoring ${itemName(item.target)}: ${message}`);
      restored.fail(item, this.#deps.types.find(item.source.groupResource));
      return 'failed';
    }
  }

  async #restoreItem(item: WorkItem, need: Need): Promise<Outcome> {
    const { sender, restored, volumes } = this.#deps;
    const ready = await this.#ready(item, need);
    if (ready === undefined) return 'skipped';
    await volumes.ready(item, () => wantedOf(ready.sending), need);
    const outcome = await sender.send(ready.sending);
    restored.add(ready.what, item.target, outcome);
    return outcome;
  }

  /** Undefined if it is skipped. What it was made of is garbage when this returns, however long sending takes. */
  async #ready(item: WorkItem, need: Need): Promise<Ready | undefined> {
    const { prepare, restored } = this.#deps;
    const { source, target } = item;
    const backedUp = await this.#backedUp(source);
    const prepared = await prepareOne(source, backedUp, prepare, this.#deps.context);
    for (const warning of prepared.warnings) this.#warn(target, warning);
    if (prepared.kind === 'skip') {
      this.#deps.context.log.info('item is skipped', { ...target, reason: prepared.reason });
      if (backedUp !== undefined && prepared.isOver !== true) restored.add(backedUp, target, 'skipped');
      return undefined;
    }
    for (const error of prepared.errors) {
      this.#deps.context.findings.error(aboutItem(target.namespace), `${itemName(target)}: ${error}`);
    }
    await this.#restoreNeeded(item, prepared, need);
    const { item: object, status, managedFields } = prepared;
    const { apiVersion = '', kind = '' } = object;
    const type = this.#typeOf(source, object);
    return {
      what: { apiVersion, kind },
      sending: { item, type, text: Buffer.from(stringifyJson(object)), after: { status, managedFields } },
    };
  }

  async #backedUp(source: ArchiveKey): Promise<JsonObject | undefined> {
    const { archive } = this.#deps;
    if (!archive.has(source)) return undefined;
    return await (readsManagers(source) ? archive.read(source) : archive.readLean(source));
  }

  async #restoreNeeded({ source, target }: WorkItem, prepared: Prepared & { kind: 'send' }, need: Need): Promise<void> {
    if (source.namespace !== undefined) await need({ groupResource: 'namespaces', name: source.namespace }, target);
    for (const additional of prepared.additionalItems) {
      const claim = await need(additional, target);
      const text = `${itemName(target)} needs ${itemName(additional)}, which is not restored`;
      if (claim.kind === 'missing') this.#warn(target, `${text}: it is not in the backup`);
      // No warning: the user wants it left out.
      if (claim.kind === 'leftOut') {
        this.#deps.context.log.info('needed item is left out', {
          ...target,
          text,
          reason: explainLeftOut(claim.reason),
        });
      }
    }
  }

  #typeOf({ groupResource }: ArchiveKey, object: JsonObject): ApiResource {
    const { types } = this.#deps;
    const apiVersion = textAt(object, 'apiVersion') ?? '';
    const type = types.typeOf(apiVersion, textAt(object, 'kind') ?? '');
    if (type !== undefined) return type;
    const versions = types.versionsOf(groupResource);
    const has = versions.length === 0 ? 'it does not serve that type' : `it serves ${versions.join(', ')}`;
    throw new AppError('unsupported', `the backup has it as ${apiVersion}, and the cluster does not: ${has}`);
  }

  #warn(target: ItemKey, text: string): void {
    this.#deps.context.findings.warn(aboutItem(target.namespace), text);
  }
}
