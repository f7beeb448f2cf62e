import { randomBytes } from 'node:crypto';
import type { KubeClient, KubeObject } from '../../src/edge/kube/index.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf, SECRETS } from '../kube-kinds.ts';

export interface SampleSize {
  configMaps: number;
  secrets: number;
  /** ConfigMaps of 900 KB, and 1.35 MB in the archive whatever gzip does; with 7 of them an upload has two parts. */
  blobs: number;
}

const AT_ONCE = 20;
const BLOB_BYTES = 675_000;

/** A namespace with these objects; gives their names as `kind/name`. */
export async function createSample(kube: KubeClient, namespace: string, size: SampleSize): Promise<Set<string>> {
  await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, namespace));
  const objects = [...sampleObjects(namespace, size)];
  const left = objects.values();
  const work = async (): Promise<void> => {
    for (const object of left) {
      await kube.create({ type: object.kind === 'Secret' ? SECRETS : CONFIG_MAPS, namespace }, object);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return new Set(objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`));
}

function* sampleObjects(namespace: string, { configMaps, secrets, blobs }: SampleSize): Generator<KubeObject> {
  const metadata = { namespace, labels: { app: 'sample' } };
  for (let index = 0; index < configMaps; index += 1) {
    yield objectOf(CONFIG_MAPS, `item-${index}`, { metadata, data: { k: `value ${index}` } });
  }
  for (let index = 0; index < secrets; index += 1) {
    yield objectOf(SECRETS, `secret-${index}`, { metadata, stringData: { k: `value ${index}` } });
  }
  for (let index = 0; index < blobs; index += 1) {
    yield objectOf(CONFIG_MAPS, `blob-${index}`, { metadata, data: { k: randomBytes(BLOB_BYTES).toString('base64') } });
  }
}

/** The uids of what is in a namespace by now, by `kind/name`. */
export async function uidsIn(kube: KubeClient, namespace: string): Promise<Map<string, string>> {
  const uids = new Map<string, string>();
  for (const object of await objectsIn(kube, namespace)) {
    uids.set(`${object.kind}/${object.metadata.name}`, object.metadata.uid ?? '');
  }
  return uids;
}

/** Its ConfigMaps and Secrets. */
export async function objectsIn(kube: KubeClient, namespace: string): Promise<KubeObject[]> {
  const found: KubeObject[] = [];
  for (const type of [CONFIG_MAPS, SECRETS]) {
    for await (const { items } of kube.list({ type, namespace })) {
      // A list does not say the kind of each of its items.
      for (const item of items) found.push({ ...item, kind: type.kind });
    }
  }
  return found;
}
