/**
 * The server of bench/server.ts in a process of its own, over a cluster that is made up: any number of operations of
 * every kind, of which some change once a second, each change told with the time it happened. Prints where it listens
 * and, whenever it is asked with a line, how much memory and processor time it took.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { apiVersionOf, MIGRATION_NAMESPACE } from '../src/api/index.ts';
import { NO_LOG } from '../src/base/index.ts';
import { ADAPTERS, GROUPS, type Adapter } from '../src/core/operations/index.ts';
import type { KubeClient, KubeObject } from '../src/edge/kube/index.ts';
import { systemClock } from '../src/main/system-clock.ts';
import { createServer, Metrics, type ObjectChange } from '../src/server/index.ts';
import { sampleFields } from './server-objects.ts';

const [operations = '10000', running = '1000', kinds = 'all'] = process.argv.slice(2);
/** `backups` is what this bench measured before there were other kinds. */
const ADAPTED: readonly Adapter[] = kinds === 'backups' ? ADAPTERS.slice(0, 1) : ADAPTERS;
const NAMESPACES = { velero: 'velero', migration: MIGRATION_NAMESPACE };
const listeners = new Map<string, Set<(change: ObjectChange) => void>>();
const objects = new Map<string, Map<string, KubeObject>>();

function put(at: number, isRunning: boolean): void {
  const adapter = ADAPTED[at % ADAPTED.length] as Adapter;
  const { kind } = adapter.type;
  const now = Date.now();
  const name = `op-${String(at)}`;
  const namespace = adapter.scope === 'all' ? `team-${String(at % 20)}` : NAMESPACES[adapter.scope];
  const { labels, ...fields } = sampleFields(kind, { at, now, isRunning, of: ADAPTED.length });
  const object: KubeObject = {
    apiVersion: apiVersionOf(adapter.type),
    kind,
    metadata: {
      name,
      namespace,
      uid: `00000000-0000-4000-8000-${name.padStart(12, '0')}`,
      resourceVersion: String(now),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels,
    },
    ...fields,
  };
  const known = objects.get(kind) ?? new Map<string, KubeObject>();
  objects.set(kind, known);
  const type = known.has(name) ? 'updated' : 'added';
  known.set(name, object);
  for (const listener of listeners.get(kind) ?? []) listener({ type, object });
}

/** Lets everybody do everything, as a pocket cluster does. */
const kube = {
  create: (_target: unknown, object: KubeObject) =>
    Promise.resolve({ ...object, status: { allowed: true, userInfo: { username: 'bench', groups: [] } } }),
  close: () => Promise.resolve(),
} as unknown as KubeClient;

for (let at = 0; at < Number(operations); at += 1) put(at, at < Number(running));
// Spread over the second, as the writes of independent operations are; a machine that is busy catches up.
const began = performance.now();
let made = 0;
setInterval(() => {
  const due = Math.floor(((performance.now() - began) / 1000) * Number(running));
  for (; made < due; made += 1) put(made % Number(running), true);
}, 10);

const spoolDir = mkdtempSync(join(tmpdir(), 'headway-bench-'));
process.on('exit', () => {
  rmSync(spoolDir, { recursive: true, force: true });
});
const server = createServer(
  {
    host: '127.0.0.1',
    port: 0,
    spoolDir,
    version: 'bench',
    key: new Uint8Array(32),
    endedSessionsFile: join(spoolDir, 'ended-sessions.json'),
    // All pages of the bench are one user at one address.
    limits: { requestsPerSecond: 1e6, requestsBurst: 1e6, streamsPerCaller: 5000, streamsPerAddress: 5000 },
  },
  {
    clusters: [
      {
        name: 'bench',
        namespace: NAMESPACES.velero,
        namespaces: NAMESPACES,
        login: 'token',
        kube,
        as: () => kube,
        source: ({ kind }) => ({
          values: () => objects.get(kind)?.values() ?? [],
          subscribe: (listener) => {
            for (const object of objects.get(kind)?.values() ?? []) listener({ type: 'added', object });
            const all = listeners.get(kind) ?? new Set();
            listeners.set(kind, all.add(listener));
            return () => all.delete(listener);
          },
        }),
        groups: () => GROUPS.map((name) => ({ name, isSeen: true, missing: [], engine: { state: 'on' as const } })),
        isReady: () => true,
        unseenSince: () => undefined,
        stores: { open: () => Promise.reject(new Error('there are no stores')) },
        logs: { tail: () => undefined, endOf: () => Promise.resolve(undefined) },
        planner: {
          plans: {},
          selections: {},
          items: () => Promise.reject(new Error('there is no planner')),
          verify: () => Promise.reject(new Error('there is no planner')),
          listVolume: () => Promise.reject(new Error('there is no planner')),
        },
      },
    ],
    clock: systemClock,
    log: NO_LOG,
    audit: NO_LOG,
    metrics: new Metrics(),
  },
);
const { url } = await server.listen();
console.log(JSON.stringify({ url }));

createInterface({ input: process.stdin })
  .on('line', () => {
    const { user, system } = process.cpuUsage();
    console.log(JSON.stringify({ rssMb: process.memoryUsage.rss() / 1e6, cpuSeconds: (user + system) / 1e6 }));
  })
  // Ends with the process that started it, however that ends.
  .on('close', () => process.exit(0));
