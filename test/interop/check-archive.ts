import { gunzipSync } from 'node:zlib';
import { extract, type Header } from 'tar-stream';
import { collect } from '../collect.ts';

export interface CheckedArchive {
  problems: string[];
  /** Names by kind, as a resource list has them. */
  list: Record<string, string[]>;
}

interface Entry {
  header: Header;
  text: string;
}

const PLACE = /^resources\/([^/]+)\/(?:([^/]+)-preferredversion\/)?(?:cluster|namespaces\/([^/]+))\/([^/]+)\.json$/;

interface Placed {
  resource: string;
  namespace: string | undefined;
  name: string;
  object: StoredObject;
}

interface StoredObject {
  apiVersion?: string;
  kind?: string;
  metadata?: Record<string, string>;
}

/** The layout of Velero's tarball, format 1.1.0: the version first, then every object at two paths with the same bytes. */
export async function checkArchive(bytes: Uint8Array): Promise<CheckedArchive> {
  const [first, ...objects] = await entriesOf(bytes);
  const problems: string[] = [];
  const list: Record<string, string[]> = {};
  if (first?.header.name !== 'metadata/version' || first.text !== '1.1.0\n') {
    problems.push(`the first entry is ${first?.header.name ?? 'missing'}, expected metadata/version with 1.1.0`);
  }
  const texts = new Map(objects.map(({ header, text }) => [header.name, text]));
  if (texts.size !== objects.length) problems.push('a path stands in it twice');
  for (const entry of objects) {
    problems.push(...entryProblems(entry).map((problem) => `${entry.header.name}: ${problem}`));
    const placed = placedAt(entry);
    if (placed === undefined) continue;
    const { resource, namespace, name, object } = placed;
    const twin = twinOf(entry.header.name, resource, object);
    if (texts.get(twin) !== entry.text) problems.push(`${twin}: not the same bytes as ${entry.header.name}`);
    const kind = `${object.apiVersion ?? ''}/${object.kind ?? ''}`;
    (list[kind] ??= []).push(namespace === undefined ? name : `${namespace}/${name}`);
  }
  return { problems, list };
}

/** Undefined for the copies by version, and for what stands nowhere that Velero knows. */
function placedAt({ header, text }: Entry): Placed | undefined {
  const [path, resource = '', version, namespace, name = ''] = PLACE.exec(header.name) ?? [];
  if (path === undefined || version !== undefined) return undefined;
  return { resource, namespace, name, object: JSON.parse(text) as StoredObject };
}

function twinOf(path: string, resource: string, { apiVersion = '' }: StoredObject): string {
  const version = apiVersion.split('/').at(-1) ?? '';
  return path.replace(`resources/${resource}/`, `resources/${resource}/${version}-preferredversion/`);
}

function entryProblems({ header, text }: Entry): string[] {
  const place = PLACE.exec(header.name);
  if (place === null) return ["no path of Velero's"];
  const [, , , namespace, name = ''] = place;
  return [...headerProblems(header), ...objectProblems(text, JSON.parse(text) as StoredObject, { namespace, name })];
}

function headerProblems(header: Header): string[] {
  return [
    ...(header.type === 'file' ? [] : [`type ${header.type ?? 'none'}, expected a regular file`]),
    ...(header.mode === 0o755 ? [] : [`mode ${(header.mode ?? 0).toString(8)}, expected 755`]),
  ];
}

function objectProblems(
  text: string,
  object: StoredObject,
  place: { namespace: string | undefined; name: string },
): string[] {
  const { name, namespace, uid, resourceVersion } = object.metadata ?? {};
  const isWhole = [object.apiVersion, object.kind, uid, resourceVersion].every((value) => value !== undefined);
  return [
    ...(isWhole ? [] : ['apiVersion, kind, uid or resourceVersion is missing']),
    ...(name === place.name && namespace === place.namespace ? [] : ['another name or namespace inside']),
    // Compact JSON with sorted keys has neither line breaks nor a later key first.
    ...(text.includes('\n') ? ['not compact'] : []),
    ...(isSorted(JSON.parse(text)) ? [] : ['its keys are not sorted']),
  ];
}

function isSorted(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isSorted);
  if (typeof value !== 'object' || value === null) return true;
  // Whole numbers as keys come first in JavaScript whatever their place in the text.
  const keys = Object.keys(value).filter((key) => !/^\d+$/.test(key));
  const order = keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return keys.every((key, index) => key === order[index]) && Object.values(value).every(isSorted);
}

async function entriesOf(bytes: Uint8Array): Promise<Entry[]> {
  const tar = extract();
  tar.end(gunzipSync(bytes));
  const entries: Entry[] = [];
  for await (const entry of tar) {
    const chunks = await collect(entry as AsyncIterable<Uint8Array>);
    entries.push({ header: entry.header, text: Buffer.concat(chunks).toString() });
  }
  return entries;
}
