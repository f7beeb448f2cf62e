import { messageOf } from '../../../../base/index.ts';
import type { ItemAction } from '../../../../core/backup/index.ts';
import type { ItemKey } from '../../../../core/progress/index.ts';
import type { Findings } from '../../../operation/index.ts';
import type { Collected } from './collected.ts';

/** Runs what is to be done with items of certain kinds before they are archived. */
export class ItemActions {
  readonly #all: readonly ItemAction[];
  readonly #findings: Findings;
  readonly #byKind = new Map<string, readonly ItemAction[]>();

  constructor(all: readonly ItemAction[], findings: Findings) {
    this.#all = all;
    this.#findings = findings;
  }

  concern({ key }: Collected): boolean {
    return this.#for(key.groupResource).length > 0;
  }

  /** What the item needs besides. One that an action fails for is refused, and that is reported. */
  async run(item: Collected): Promise<readonly ItemKey[]> {
    const additional: ItemKey[] = [];
    for (const action of this.#for(item.key.groupResource)) {
      try {
        const result = await action.run(item);
        if (result.object !== undefined) item.object = result.object;
        additional.push(...result.additional);
      } catch (error) {
        item.isRefused = true;
        this.#findings.error(item.key, `action ${action.name} failed: ${messageOf(error)}`);
        return [];
      }
    }
    return additional;
  }

  #for(groupResource: string): readonly ItemAction[] {
    const known = this.#byKind.get(groupResource);
    if (known !== undefined) return known;
    const found = this.#all.filter((action) => action.appliesTo(groupResource));
    this.#byKind.set(groupResource, found);
    return found;
  }
}
