/**
 * The server of bench/server.ts in a process of its own, over a cluster that is made up: any number of operations, of
 * which some change once a second, each change told with the time it happened. Prints where it listens and, whenever it
 * is asked with a line, how much memory and processor time it took.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Backup } from '../src/api/index.ts';
import { NO_LOG } from '../src/base/index.ts';
import type { KubeClient, KubeObject } from '../src/edge/kube/index.ts';
import { systemClock } from '../src/main/system-clock.ts';
import { createServer, Metrics, type ObjectChange } from '../src/server/index.ts';

const [operations = '10000', running = '1000'] = process.argv.slice(2);
const listeners = new Set<(change: ObjectChange) => void>();
const objects = new Map<string, KubeObject>();

function backup(name: string, isRunning: boolean, at: number): KubeObject {
  const done = Math.floor((at / 100) % 100_000);
  return {
    apiVersion: 'velero.io/v1',
    kind: 'Backup',
    metadata: {
      name,
      namespace: 'velero',
      uid: `00000000-0000-4000-8000-${name.padStart(12, '0')}`,
      resourceVersion: String(at),
      creationTimestamp: '2026-01-01T00:00:00Z',
    },
    spec: { storageLocation: 'default', includedNamespaces: ['shop', 'billing'] },
    status: isRunning
      ? {
          phase: 'InProgress',
          startTimestamp: '2026-01-01T00:00:00Z',
          progress: {
            itemsBackedUp: done,
            totalItems: 100_000,
            percent: Math.floor(done / 1000),
            stage: 'archiving',
            // The reader takes the time of the change from here.
            current: `shop/configmaps/at-${String(at)}`,
            ratePerSecond: 812,
            etaSeconds: 120,
            lastProgressTime: new Date(at).toISOString(),
          },
        }
      : { phase: 'Completed', startTimestamp: '2026-01-01T00:00:00Z', completionTimestamp: '2026-01-01T00:00:05Z' },
  };
}

function put(name: string, isRunning: boolean): void {
  const object = backup(name, isRunning, Date.now());
  const type = objects.has(name) ? 'updated' : 'added';
  objects.set(name, object);
  for (const listener of listeners) listener({ type, object });
}

/** Lets everybody do everything, as a pocket cluster does. */
const kube = {
  create: (_target: unknown, object: KubeObject) =>
    Promise.resolve({ ...object, status: { allowed: true, userInfo: { username: 'bench', groups: [] } } }),
  close: () => Promise.resolve(),
} as unknown as KubeClient;

for (let at = 0; at < Number(operations); at += 1) put(`op-${String(at)}`, at < Number(running));
// Spread over the second, as the writes of independent operations are; a machine that is busy catches up.
const began = performance.now();
let made = 0;
setInterval(() => {
  const due = Math.floor(((performance.now() - began) / 1000) * Number(running));
  for (; made < due; made += 1) put(`op-${String(made % Number(running))}`, true);
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
        namespace: 'velero',
        login: 'token',
        kube,
        as: () => kube,
        source: (type) =>
          type.plural !== Backup.plural
            ? undefined
            : {
                values: () => objects.values(),
                subscribe: (listener) => {
                  for (const object of objects.values()) listener({ type: 'added', object });
                  listeners.add(listener);
                  return () => listeners.delete(listener);
                },
              },
        isReady: () => true,
        unseenSince: () => undefined,
        stores: { open: () => Promise.reject(new Error('there are no stores')) },
        logs: { tail: () => undefined },
        planner: {
          backup: () => Promise.reject(new Error('there is no planner')),
          restore: () => Promise.reject(new Error('there is no planner')),
          selection: () => Promise.reject(new Error('there is no planner')),
          items: () => Promise.reject(new Error('there is no planner')),
          verify: () => Promise.reject(new Error('there is no planner')),
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
