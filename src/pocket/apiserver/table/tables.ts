import type { JsonObject } from '../../../base/index.ts';
import { servedObject, type Resource } from '../registry/index.ts';
import type { Stored } from '../store/index.ts';
import type { Column } from './column.ts';
import { columnsOf } from './columns-of.ts';
import { partialObject } from './partial.ts';

export interface TableOptions {
  version: string;
  /** None, Metadata or Object: what each row carries beside its cells. */
  includeObject: string;
  now: () => number;
}

/** Tables as kubectl prints them, for lists, single objects and watches of one resource. */
export class Tables {
  readonly #resource: Resource;
  readonly #options: TableOptions;
  readonly #columns: readonly Column[];
  #isFirst = true;

  constructor(resource: Resource, options: TableOptions) {
    this.#resource = resource;
    this.#options = options;
    this.#columns = columnsOf(resource);
  }

  ofObjects(objects: readonly Stored[], metadata: JsonObject): JsonObject {
    return this.#table(metadata, objects, true);
  }

  /** Each event of a watch is a table of one row; only the first says the columns. */
  ofEvent(object: Stored): JsonObject {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    return this.#table({ resourceVersion: String(object.rv) }, [object], isFirst);
  }

  ofBookmark(metadata: JsonObject): JsonObject {
    const row = { cells: [], object: { kind: this.#resource.kind, metadata } };
    return { ...this.#table({ resourceVersion: metadata['resourceVersion'] }, [], false), rows: [row] };
  }

  #table(metadata: JsonObject, objects: readonly Stored[], hasColumns: boolean): JsonObject {
    return {
      kind: 'Table',
      apiVersion: `meta.k8s.io/${this.#options.version}`,
      metadata,
      columnDefinitions: hasColumns ? this.#columns.map(definition) : null,
      rows: objects.map((stored) => this.#row(stored)),
    };
  }

  #row(stored: Stored): JsonObject {
    const object = servedObject(this.#resource, stored);
    const now = this.#options.now();
    // The printers of built-in kinds know one shape, the stored one, whatever the view.
    const printed = this.#resource.custom === undefined ? stored.object : object;
    const cells = this.#columns.map((column) => column.cell(printed, now));
    const { includeObject, version } = this.#options;
    if (includeObject === 'None') return { cells };
    return { cells, object: includeObject === 'Object' ? object : partialObject(stored, version) };
  }
}

function definition({ name, type, format, description, wide }: Column): JsonObject {
  return { name, type, format: format ?? '', description: description ?? '', priority: wide === true ? 1 : 0 };
}
