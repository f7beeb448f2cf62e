/** Which lists a bare loop asks for, so that it gets exactly what a backup selects. */
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

/** A kind with what a list over all namespaces gives of it. */
export interface Counted extends Kind {
  bytes: number;
  objects: number;
  /** Of the selected namespaces. */
  selectedBytes: number;
}

interface Page {
  metadata: { continue?: string };
  items: { metadata: { namespace?: string } }[];
}

const PAGE = 500;
const WORKERS = 16;
const NEEDED_VERBS = ['list', 'create', 'get', 'delete'];
/** The same objects as core/v1's. */
const TWIN = '/apis/events.k8s.io/';
/** What items of some namespaces need of the whole cluster. */
const ADDITIONAL = [
  'namespaces',
  'persistentvolumes',
  'customresourcedefinitions',
  'clusterrolebindings',
  'clusterroles',
];

/** What a backup of these asks for; the kinds in the server's order. */
export async function kindsOf(wire: Wire, { namespaces }: Selected): Promise<Kind[]> {
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
      if (namespaces === undefined || namespaced || ADDITIONAL.includes(name)) {
        kinds.push({ base, plural: name, isNamespaced: namespaced });
      }
    }
  }
  return kinds;
}

export async function countKinds(wire: Wire, kinds: readonly Kind[], selected: Selected): Promise<Counted[]> {
  const chosen = selected.namespaces && new Set(selected.namespaces);
  const counted = kinds.map((kind) => ({ ...kind, bytes: 0, objects: 0, selectedBytes: 0 }));
  await inParallel(counted, WORKERS, async (kind) => {
    for await (const { page, bytes } of pagesOf(wire, pathOf(kind, selected))) {
      const own = page.items.filter(({ metadata }) => chosen?.has(metadata.namespace ?? '') ?? true).length;
      kind.bytes += bytes;
      kind.objects += page.items.length;
      kind.selectedBytes += bytes * (page.items.length === 0 ? 0 : own / page.items.length);
    }
  });
  return counted;
}

/** The cheaper way for each kind, if a request costs as much as so many bytes. */
export function listsFor(kinds: readonly Counted[], selected: Selected, requestBytes: number): string[] {
  return kinds.flatMap((kind) => {
    const { namespaces } = selected;
    if (!kind.isNamespaced || namespaces === undefined) return [pathOf(kind, selected)];
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

export async function* pagesOf(wire: Wire, path: string): AsyncGenerator<{ page: Page; bytes: number }> {
  let more = '';
  do {
    const text = await wire.ask('GET', more === '' ? path : `${path}&continue=${more}`);
    const page = JSON.parse(text) as Page;
    yield { page, bytes: text.length };
    more = page.metadata.continue ?? '';
  } while (more !== '');
}
