import type { Restore } from '../../api/index.ts';
import { SelectorUse, unmatchedNames, type ResourceNames, type Unmatched } from '../selection/index.ts';
import type { ArchiveKey } from './actions/index.ts';
import { NAMESPACES } from './priorities.ts';

const BACKUP = 'the backup';

/** What an archive has, held against the names in the spec of a restore. */
export class Census {
  readonly #spec: Restore['spec'];
  readonly #names: ResourceNames;
  readonly #namespaces = new Set<string>();
  readonly #resources = new Set<string>();
  readonly #selectors: SelectorUse;

  constructor(spec: Restore['spec'], names: ResourceNames) {
    this.#spec = spec;
    this.#names = names;
    this.#selectors = new SelectorUse(spec, BACKUP);
  }

  see({ groupResource, namespace, name }: ArchiveKey): void {
    this.#resources.add(groupResource);
    if (groupResource === NAMESPACES) this.#namespaces.add(name);
    else if (namespace !== undefined) this.#namespaces.add(namespace);
  }

  seeLabels(labels: Readonly<Record<string, string>>): void {
    this.#selectors.see(labels);
  }

  unmatched(): Unmatched[] {
    const { includedNamespaces, includedResources, namespaceMapping } = this.#spec;
    const namespaces = { known: this.#namespaces, saying: (name: string) => `${BACKUP} has no namespace "${name}"` };
    return [
      ...unmatchedNames(Object.keys(namespaceMapping ?? {}), { field: 'namespaceMapping', ...namespaces }),
      ...unmatchedNames(includedNamespaces, { field: 'includedNamespaces', ...namespaces }),
      ...unmatchedNames(includedResources, {
        field: 'includedResources',
        known: this.#resources,
        saying: (name) => `${BACKUP} has no items of the kind "${name}"`,
        resolve: (name) => this.#names.resolve(name) ?? name,
      }),
      ...this.#selectors.unmatched(),
    ];
  }
}
