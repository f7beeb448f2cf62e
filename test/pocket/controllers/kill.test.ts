import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../eventually.ts';
import { startProcess, type PocketProcess } from '../pocket-process.ts';
import { container, workload } from './cluster.ts';

const ROUNDS = process.env['HEADWAY_CAMPAIGN'] === '1' ? 100 : 4;

interface Items {
  items: { metadata: { name: string; deletionTimestamp?: string }; status?: Record<string, unknown> }[];
}

/** A pocket cluster in a process of its own, which can be killed and started again. */
class Victim {
  readonly #dir: string;
  #server: PocketProcess | undefined;

  constructor(dir: string) {
    this.#dir = dir;
  }

  async start(): Promise<void> {
    this.#server = await startProcess(this.#dir, 4);
  }

  async kill(): Promise<void> {
    const { process, pool } = this.#server ?? {};
    this.#server = undefined;
    if (process?.kill('SIGKILL') === true) await once(process, 'exit');
    await pool?.destroy();
  }

  async ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Items> {
    const { pool, headers } = this.#running();
    const answer = await pool.request({
      method,
      path,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const found: unknown = await answer.body.json();
    if (answer.statusCode >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(found)}`);
    return found as Items;
  }

  /** Kills the process when the controllers have made so many changes to pods, or at the latest when they rest. */
  async killAfter(changes: number): Promise<void> {
    const { pool, headers } = this.#running();
    const answer = await pool.request({ method: 'GET', path: '/api/v1/pods?watch=1&timeoutSeconds=1', headers });
    let seen = 0;
    for await (const chunk of answer.body) {
      seen += String(chunk).split('\n').length - 1;
      if (seen >= changes) break;
    }
    await this.kill();
  }

  #running(): PocketProcess {
    if (this.#server === undefined) throw new Error('the cluster was killed');
    return this.#server;
  }
}

let dir: string;
let victim: Victim;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headway-kill-'));
  victim = new Victim(dir);
});
afterEach(async () => {
  await victim.kill();
  rmSync(dir, { recursive: true, force: true });
});

const NAMESPACE = 'shop';
const place = (group: string, plural: string) => `${group}/namespaces/${NAMESPACE}/${plural}`;
const PODS = place('/api/v1', 'pods');
const claims = [
  { metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
];
const job = {
  metadata: { name: 'seed' },
  spec: { completions: 12, parallelism: 3, template: { spec: { restartPolicy: 'Never', containers: [container] } } },
};

it(
  'controllers that are killed again and again get everything right in the end',
  async () => {
    await victim.start();
    await victim.ask('POST', '/api/v1/namespaces', { metadata: { name: NAMESPACE } });
    await victim.ask('POST', place('/apis/apps/v1', 'deployments'), workload('Deployment', 'web', { replicas: 6 }));
    await victim.ask('POST', place('/apis/batch/v1', 'jobs'), job);
    const set = { replicas: 3, serviceName: 'db', volumeClaimTemplates: claims };
    await victim.ask('POST', place('/apis/apps/v1', 'statefulsets'), workload('StatefulSet', 'db', set));
    for (let round = 1; round <= ROUNDS; round += 1) {
      await victim.killAfter(1 + ((round * 7) % 40));
      await victim.start();
    }
    await eventually(
      async () => {
        const [web] = (await victim.ask('GET', place('/apis/apps/v1', 'deployments'))).items;
        const [db] = (await victim.ask('GET', place('/apis/apps/v1', 'statefulsets'))).items;
        const [seed] = (await victim.ask('GET', place('/apis/batch/v1', 'jobs'))).items;
        expect([web?.status?.['availableReplicas'], db?.status?.['readyReplicas']]).toEqual([6, 3]);
        expect(seed?.status).toMatchObject({ succeeded: 12, uncountedTerminatedPods: {} });
      },
      { withinMs: 20_000 },
    );
    const names = (await victim.ask('GET', PODS)).items.map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name.startsWith('web-'))).toHaveLength(6);
    expect(names.filter((name) => name.startsWith('db-'))).toEqual(['db-0', 'db-1', 'db-2']);
    expect(names.filter((name) => name.startsWith('seed-'))).toHaveLength(12);
    const sets = (await victim.ask('GET', place('/apis/apps/v1', 'replicasets'))).items;
    expect(sets).toHaveLength(1);
    const volumes = (await victim.ask('GET', '/api/v1/persistentvolumes')).items;
    expect(volumes.map(({ status }) => status?.['phase'])).toEqual(['Bound', 'Bound', 'Bound']);

    await victim.ask('DELETE', `/api/v1/namespaces/${NAMESPACE}`);
    for (let round = 1; round <= 3; round += 1) {
      await victim.killAfter(20 * round);
      await victim.start();
    }
    await eventually(
      async () => {
        const left = (await victim.ask('GET', '/api/v1/namespaces')).items.map(({ metadata }) => metadata.name);
        expect(left).not.toContain(NAMESPACE);
        expect((await victim.ask('GET', '/api/v1/persistentvolumes')).items).toEqual([]);
      },
      { withinMs: 20_000 },
    );
  },
  ROUNDS * 5000 + 60_000,
);
