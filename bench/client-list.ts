/**
 * The memory part of bench/client.ts: `client-list.ts URL TOTAL` walks a list page by page and prints the number of
 * items seen and the highest resident size.
 */
import { createKubeClient } from '../src/edge/kube/index.ts';
import { staticCredential } from '../src/edge/kube/config/credentials.ts';
import { NO_LOG } from '../src/base/index.ts';
import { systemClock } from '../src/main/system-clock.ts';

const [server = '', total = '0'] = process.argv.slice(2);
const kube = createKubeClient(
  { clock: systemClock, random: Math.random, log: NO_LOG, userAgent: 'headway-bench' },
  {
    label: 'bench',
    server,
    namespace: 'bench',
    tls: { ca: process.env['CA'] ?? '', insecure: false },
    credentials: staticCredential({}),
    headers: {},
  },
);
const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
const names = new Set<string>();
const began = performance.now();
for await (const page of kube.list({ type }, { labelSelector: `total=${total}` })) {
  for (const item of page.items) names.add(item.metadata.name);
}
const rssMb = process.resourceUsage().maxRSS / 1024;
console.log(JSON.stringify({ items: names.size, rssMb, ms: performance.now() - began }));
await kube.close();
