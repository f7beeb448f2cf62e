/**
 * Walks the ConfigMaps of a namespace page by page, in a process that does nothing else, and prints what it saw and
 * the most memory that was in use after a page: `node --expose-gc walk-objects.ts KUBECONFIG NAMESPACE PAGE`.
 */
import { clientFor } from './kube-client.ts';
import { CONFIG_MAPS } from './kube-kinds.ts';

const [kubeconfig = '', namespace = '', limit = ''] = process.argv.slice(2);
const kube = await clientFor(kubeconfig);
let objects = 0;
let last = '';
let isInOrder = true;
const versions = new Set<string>();
const usedBytes: number[] = [];
let ms = 0;
let since = performance.now();
for await (const page of kube.list({ type: CONFIG_MAPS, namespace }, { limit: Number(limit) })) {
  ms += performance.now() - since;
  versions.add(page.resourceVersion);
  for (const { metadata } of page.items) {
    // Names in order are names that are all different, and take no memory.
    isInOrder &&= last < metadata.name;
    last = metadata.name;
    objects += 1;
  }
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  usedBytes.push(heapUsed + external);
  since = performance.now();
}
await kube.close();
const seen = { objects, isInOrder, versions: versions.size, pages: usedBytes.length, ms: Math.round(ms) };
const growthBytes = Math.max(...usedBytes) - (usedBytes[0] ?? 0);
console.log(JSON.stringify({ ...seen, growthBytes, peakRssBytes: process.resourceUsage().maxRSS * 1024 }));
