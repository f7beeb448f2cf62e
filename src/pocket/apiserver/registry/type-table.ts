import { isEqual } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';
import { BUILTINS } from '../../builtins/index.ts';
import type { Stored } from '../store/index.ts';
import { customResources } from './custom-resource.ts';
import { isEstablished } from './crd-status.ts';
import { builtinResource, type Resource } from './resource.ts';

interface Custom {
  spec: ApiObject['spec'];
  schemaRv: number;
  resources: readonly Resource[];
}

/** Everything that is served: the built-in kinds and those of established CustomResourceDefinitions. */
export class TypeTable {
  readonly #builtins: readonly Resource[] = BUILTINS.map(builtinResource);
  readonly #custom = new Map<string, Custom>();
  #byPath = new Map<string, Resource>();
  #all: readonly Resource[] = [];
  #revision = 0;

  constructor() {
    this.#index();
  }

  /** Grows with every change, so that documents made from the table know when they are old. */
  get revision(): number {
    return this.#revision;
  }

  get all(): readonly Resource[] {
    return this.#all;
  }

  find(group: string, version: string, plural: string): Resource | undefined {
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** A resource of this group under any version; enough to look at stored objects. */
  findStored(storage: string): Resource | undefined {
    return this.#all.find((resource) => resource.storage === storage);
  }

  hasGroupVersion(group: string, version: string): boolean {
    return this.#all.some((resource) => resource.group === group && resource.version === version);
  }

  hasBuiltinGroup(group: string): boolean {
    return this.#builtins.some((resource) => resource.group === group);
  }

  /** Serves what the definition says now, or stops serving it. */
  setDefinition(stored: Stored): void {
    const crd = stored.object;
    if (!isEstablished(crd)) {
      this.removeDefinition(stored.name);
      return;
    }
    const known = this.#custom.get(stored.name);
    const spec = crd['spec'];
    const schemaRv = known !== undefined && isEqual(known.spec, spec) ? known.schemaRv : stored.rv;
    this.#custom.set(stored.name, { spec, schemaRv, resources: customResources(crd, schemaRv) });
    this.#index();
  }

  removeDefinition(name: string): void {
    if (this.#custom.delete(name)) this.#index();
  }

  #index(): void {
    this.#revision += 1;
    this.#all = [...this.#builtins, ...[...this.#custom.values()].flatMap(({ resources }) => resources)];
    this.#byPath = new Map(
      this.#all.map((resource) => [`${resource.group}/${resource.version}/${resource.plural}`, resource]),
    );
  }
}
