import { messageOf, type Log } from '../../../base/index.ts';
import { CONFIG_MAPS } from '../../controllers/kinds/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';
import { builtinImages, machineImage, type HeadwayProgram } from './builtin-images.ts';
import { findImage, type FoundImage, type Image, type ImageRow } from './image-table.ts';
import { parseTable } from './table-text.ts';

/** The rows that users add are in this config map, under this key. */
const NAMESPACE = 'kube-system';
const NAME = 'pocket-images';
const KEY = 'images';

/** The table of a cluster: what users added, then what is built in. */
export class ClusterTable {
  readonly #client: ControlClient;
  readonly #builtin: readonly ImageRow[];
  readonly #machine: Image;
  readonly #log: Log;
  #text = '';
  #rows: readonly ImageRow[];

  constructor(client: ControlClient, program: HeadwayProgram | undefined, log: Log) {
    this.#client = client;
    this.#builtin = builtinImages(program);
    this.#machine = machineImage(program);
    this.#log = log;
    this.#rows = this.#builtin;
  }

  find(image: string): FoundImage {
    return findImage(this.#current(), image);
  }

  #current(): readonly ImageRow[] {
    const text = this.#client.get(CONFIG_MAPS, NAMESPACE, NAME)?.data?.[KEY] ?? '';
    if (text === this.#text) return this.#rows;
    this.#text = text;
    const { rows, problems } = parseTable(text, this.#machine);
    for (const problem of problems)
      this.#log.warn('a row of the image table means nothing', { problem: messageOf(problem) });
    this.#rows = [...rows, ...this.#builtin];
    return this.#rows;
  }
}
