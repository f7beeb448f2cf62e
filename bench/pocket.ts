/**
 * How fast the pocket API server is, measured from a second process.
 * Plain HTTP is judged against the targets of the design, TLS is printed beside it. Exits 1 when a target is missed.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

const CONCURRENCY = 50;
const WARM_UP = 5000;
const NAMESPACE = '/api/v1/namespaces/bench';

interface Server {
  process: ChildProcess;
  pool: Pool;
  headers: Record<string, string>;
  startMs: number;
}

interface Figures {
  startMs: number;
  createsPerSecond: number;
  getsPerSecond: number;
  listMs: number;
  rssMb: number;
}

async function start(dir: string, transport: string): Promise<Server> {
  const began = performance.now();
  const child = spawn(process.execPath, [join(import.meta.dirname, 'pocket-server.ts'), dir, transport], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const startMs = performance.now() - began;
  const { url, token, ca } = JSON.parse(line) as { url: string; token: string; ca: string };
  const pool = new Pool(url, { connections: CONCURRENCY, connect: { ca } });
  return { process: child, pool, headers: { authorization: `Bearer ${token}` }, startMs };
}

async function stop({ process: child, pool }: Server): Promise<void> {
  await pool.destroy();
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function call({ pool, headers }: Server, method: 'GET' | 'POST', path: string, body?: string): Promise<string> {
  const answer = await pool.request({
    method,
    path,
    headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  return text;
}

/** About 570 bytes once it is stored, as a usual small object. */
function configMap(name: string): string {
  const data = Object.fromEntries(
    Array.from({ length: 6 }, (_, i) => [`key-${i}`, 'some value of usual length '.repeat(2)]),
  );
  return JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels: { app: 'bench' } }, data });
}

/** Runs `work(0..count-1)` at the fixed concurrency and returns how many a second. */
async function perSecond(count: number, work: (i: number) => Promise<unknown>): Promise<number> {
  const began = performance.now();
  let next = 0;
  const runner = async (): Promise<void> => {
    for (let i = next++; i < count; i = next++) await work(i);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, runner));
  return Math.round((count * 1000) / (performance.now() - began));
}

async function median(times: number, work: () => Promise<unknown>): Promise<number> {
  const measured: number[] = [];
  for (let i = 0; i < times; i += 1) {
    const began = performance.now();
    await work();
    measured.push(performance.now() - began);
  }
  return Math.round(measured.sort((a, b) => a - b)[Math.floor(times / 2)] ?? 0);
}

async function measure(transport: string, total: number): Promise<Figures> {
  const dir = mkdtempSync(join(tmpdir(), 'headway-bench-'));
  try {
    // The first start makes certificates and tables; every later one is like this second one.
    await stop(await start(dir, transport));
    const server = await start(dir, transport);
    try {
      return await figuresOf(server, total);
    } finally {
      await stop(server);
    }
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function figuresOf(server: Server, total: number): Promise<Figures> {
  const create = (i: number): Promise<unknown> =>
    call(server, 'POST', `${NAMESPACE}/configmaps`, configMap(`object-${i}`));
  await call(server, 'POST', '/api/v1/namespaces', JSON.stringify({ metadata: { name: 'bench' } }));
  // Both processes compile their hot paths in the first thousands of requests; a server that runs has done so.
  await perSecond(WARM_UP, (i) => create(100_000 + i));
  const createsPerSecond = await perSecond(10_000, create);
  const listMs = await median(5, () => call(server, 'GET', `${NAMESPACE}/configmaps?limit=10000`));
  const getsPerSecond = await perSecond(40_000, (i) =>
    call(server, 'GET', `${NAMESPACE}/configmaps/object-${i % 10_000}`),
  );
  await perSecond(total - 10_000 - WARM_UP, (i) => create(10_000 + i));
  const rssMb = residentMb(server.process.pid ?? 0);
  return { startMs: Math.round(server.startMs), createsPerSecond, getsPerSecond, listMs, rssMb };
}

function residentMb(pid: number): number {
  const found = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Math.round(Number(found?.[1] ?? 0) / 1024);
}

const plain = await measure('plain', 100_000);
const tls = await measure('tls', 20_000);
const targets = [
  { name: 'start, ms', plain: plain.startMs, tls: tls.startMs, limit: '< 1000', isMet: plain.startMs < 1000 },
  {
    name: 'creates/s',
    plain: plain.createsPerSecond,
    tls: tls.createsPerSecond,
    limit: '>= 3000',
    isMet: plain.createsPerSecond >= 3000,
  },
  {
    name: 'gets/s',
    plain: plain.getsPerSecond,
    tls: tls.getsPerSecond,
    limit: '>= 8000',
    isMet: plain.getsPerSecond >= 8000,
  },
  { name: 'list of 10 000, ms', plain: plain.listMs, tls: tls.listMs, limit: '< 150', isMet: plain.listMs < 150 },
  { name: 'memory with 100 000, MB', plain: plain.rssMb, tls: NaN, limit: '< 400', isMet: plain.rssMb < 400 },
];
console.table(targets);
process.exit(targets.every(({ isMet }) => isMet) ? 0 : 1);
