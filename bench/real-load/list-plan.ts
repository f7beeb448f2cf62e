/** Which lists a bare loop asks for, so that it gets what a backup selects, and little else. */
import { inParallel, type Wire } from './wire.ts';

export interface Selected {
  /** All of them if undefined. */
  namespaces?: readonly string[];
  labelSelector?: string;
}

export interface Kind {
  /** Such as `/apis/apps/v1`. */
  base: string;
  plural: string;
  isNamespaced: boolean;
}

export interface ListPlan {
  /** Each one list, page by page. */
  lists: string[];
  workers: number;
}

/** How many objects are selected, and how many there are of the whole cluster, of which items may need some. */
export interface Counts {
  selected: number;
  clusterWide: number;
}

/** A kind with what a list over all namespaces gives of it. */
export interface Counted extends Kind {
  bytes: number;
  objects: number;
  /** Of the selected namespaces. */
  selectedBytes: number;
  selected: number;
}

interface Page {
  items: { metadata: { namespace?: string } }[];
}

const PAGE = 500;
const WORKERS = 16;
const NEEDED_VERBS = ['list', 'create', 'get', 'delete'];
/** The same objects as core/v1's. */
const TWIN = '/apis/events.k8s.io/';
/** A list's own metadata stand before its items, or after them in lists of custom resources, whose keys are sorted. */
const ENDS_BYTES = 4096;
const BEFORE = /^\{[^[]*"metadata":\{[^{}]*?"continue":"([^"]*)"/;
const AFTER = /"metadata":\{"continue":"([^"]*)"[^{}]*\}\}\s*$/;

/** All kinds that can be backed up, in the server's order. */
export async function kindsOf(wire: Wire): Promise<Kind[]> {
  const { groups } = JSON.parse(await wire.ask('GET', '/apis')) as {
    groups: { preferredVersion: { groupVersion: string } }[];
  };
  const bases = ['/api/v1', ...groups.map(({ preferredVersion }) => `/apis/${preferredVersion.groupVersion}`)];
  const kinds: Kind[] = [];
  for (const base of bases.filter((one) => !one.startsWith(TWIN))) {
    const { resources } = JSON.parse(await wire.ask('GET', base)) as {
      resources: { name: string; namespaced: boolean; verbs: string[] }[];
    };
    for (const { name, namespaced, verbs } of resources) {
      if (NEEDED_VERBS.some((verb) => !verbs.includes(verb))) continue;
      kinds.push({ base, plural: name, isNamespaced: namespaced });
    }
  }
  return kinds;
}

export async function countKinds(wire: Wire, kinds: readonly Kind[], selected: Selected): Promise<Counted[]> {
  const chosen = selected.namespaces && new Set(selected.namespaces);
  const counted = kinds.map((kind) => ({ ...kind, bytes: 0, objects: 0, selectedBytes: 0, selected: 0 }));
  await inParallel(counted, WORKERS, async (kind) => {
    for await (const bytes of pagesOf(wire, pathOf(kind, selected))) {
      const page = JSON.parse(bytes.toString()) as Page;
      const own = page.items.filter(({ metadata }) => chosen?.has(metadata.namespace ?? '') ?? true).length;
      kind.bytes += bytes.length;
      kind.selected += own;
      kind.objects += page.items.length;
      kind.selectedBytes += bytes.length * (page.items.length === 0 ? 0 : own / page.items.length);
    }
  });
  return counted;
}

export function countsOf(kinds: readonly Counted[]): Counts {
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  return {
    selected: sum(kinds.map(({ selected }) => selected)),
    clusterWide: sum(kinds.filter(({ isNamespaced }) => !isNamespaced).map(({ objects }) => objects)),
  };
}

/** The cheaper way for each kind, if a request costs as much as so many bytes; what nobody has selected is not listed. */
export function listsFor(kinds: readonly Counted[], selected: Selected, requestBytes: number): string[] {
  return kinds.flatMap((kind) => {
    const { namespaces } = selected;
    if (namespaces === undefined) return [pathOf(kind, selected)];
    if (!kind.isNamespaced) return [];
    const over = kind.bytes + Math.ceil(kind.objects / PAGE) * requestBytes;
    const each = kind.selectedBytes + namespaces.length * requestBytes;
    if (over <= each) return [pathOf(kind, selected)];
    return namespaces.map((namespace) => pathOf(kind, selected, namespace));
  });
}

function pathOf({ base, plural }: Kind, { labelSelector }: Selected, namespace?: string): string {
  const place = namespace === undefined ? '' : `namespaces/${namespace}/`;
  const query = new URLSearchParams({ limit: String(PAGE), ...(labelSelector && { labelSelector }) });
  return `${base}/${place}${plural}?${String(query)}`;
}

/** Each page as it came, without a look at its items. */
export async function* pagesOf(wire: Wire, path: string): AsyncGenerator<Buffer> {
  let more = '';
  do {
    const page = await wire.bytes('GET', more === '' ? path : `${path}&continue=${more}`);
    yield page;
    more = continueOf(page);
  } while (more !== '');
}

/** Empty on the last page. */
export function continueOf(page: Buffer): string {
  const [before] = BEFORE.exec(page.toString('latin1', 0, ENDS_BYTES))?.slice(1) ?? [];
  const [after] = AFTER.exec(page.toString('latin1', Math.max(0, page.length - ENDS_BYTES)))?.slice(1) ?? [];
  return before ?? after ?? '';
}
