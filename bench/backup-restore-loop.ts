/**
 * The bare loop of bench/backup-restore.ts in a process of its own: `backup-restore-loop.ts create|list NAMESPACE COUNT`
 * with $SERVER, $CA and $TOKEN makes COUNT objects of 1 KB, half ConfigMaps and half Secrets, or lists them, with undici
 * and nothing else, and prints how long it took.
 */
import { Pool } from 'undici';

const CONCURRENCY = 50;
const PAGE = 500;
const BYTES = 1024;
const LABEL = 'headway-bench';

const [mode = '', namespace = '', total = '0'] = process.argv.slice(2);
const count = Number(total);
const { SERVER = '', CA = '', TOKEN = '' } = process.env;
const pool = new Pool(SERVER, { connections: CONCURRENCY, connect: { ca: CA } });

async function call(method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
  const headers = { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' };
  const answer = await pool.request({ method, path, headers, body: body ?? null });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${String(answer.statusCode)}: ${text}`);
  return text;
}

/** Text that gzip cannot make much smaller, the same at every run. */
function payload(seed: number): string {
  let state = seed + 1;
  let text = '';
  while (text.length < BYTES) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += state.toString(36);
  }
  return text.slice(0, BYTES);
}

function objectAt(index: number): { plural: string; body: string } {
  const metadata = { name: `object-${String(index)}`, labels: { app: LABEL } };
  const isSecret = index % 2 === 1;
  const data = { value: isSecret ? Buffer.from(payload(index)).toString('base64') : payload(index) };
  const kind = isSecret ? 'Secret' : 'ConfigMap';
  return {
    plural: isSecret ? 'secrets' : 'configmaps',
    body: JSON.stringify({ apiVersion: 'v1', kind, metadata, data }),
  };
}

async function create(): Promise<number> {
  await call('POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: namespace } }));
  const began = performance.now();
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < count; index = next++) {
      const { plural, body } = objectAt(index);
      await call('POST', `/api/v1/namespaces/${namespace}/${plural}`, body);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return performance.now() - began;
}

interface List {
  metadata: { continue?: string };
  items: unknown[];
}

async function list(): Promise<number> {
  const began = performance.now();
  let found = 0;
  for (const plural of ['configmaps', 'secrets']) {
    let more: string | undefined = '';
    while (more !== undefined) {
      const query = new URLSearchParams({ limit: String(PAGE), continue: more, labelSelector: `app=${LABEL}` });
      const page = JSON.parse(await call('GET', `/api/v1/namespaces/${namespace}/${plural}?${String(query)}`)) as List;
      found += page.items.length;
      more = page.metadata.continue;
    }
  }
  if (found !== count) throw new Error(`expected ${total} objects in namespace ${namespace}, found ${String(found)}`);
  return performance.now() - began;
}

const seconds = (await (mode === 'create' ? create() : list())) / 1000;
console.log(JSON.stringify({ seconds }));
await pool.close();
