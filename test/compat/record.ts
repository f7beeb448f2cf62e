/**
 * Records the goldens of our own cases from real Velero, on Headway's CRDs: `node test/compat/record.ts [PREFIX…]`.
 * (then `npm run format`). A golden is never written by hand; what Headway does otherwise on purpose is left out by the case, which says why.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { bed, run } from '../bed/index.ts';
import { OWN_CASES, stockEnvironment, SUITE } from './stock-cli.ts';

const ROOT = join(import.meta.dirname, '../..');
// Velero looks for new types every five minutes only, and until then a type that went is an error to it.
const LAST = '22-custom-resources.mjs';
const { definition } = (await import(join(OWN_CASES, LAST))) as { definition: string };
const others = readdirSync(OWN_CASES).filter((file) => file.endsWith('.mjs') && file !== LAST);
const prefixes = process.argv.slice(2);

await using b = await bed({ velero: { crds: join(ROOT, 'deploy/crds') } });
const env = stockEnvironment(b.kubeconfig, b.directory);
await run(b.bin('kubectl'), { args: ['--kubeconfig', b.kubeconfig, 'apply', '-f', '-'], input: definition });
await b.velero[0]!.start();
for (const prefix of prefixes.length > 0 ? prefixes : [...others, LAST]) {
  const args = [join(SUITE, 'compat.mjs'), '--cases', OWN_CASES, '--record', '--only', prefix];
  console.log(await run(process.execPath, { args, env, timeoutMs: 3_600_000 }));
}
