import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Restore } from '../../src/api/index.ts';
import { objectsAt, type JsonObject } from '../../src/base/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import { exec } from '../../src/edge/kube/exec/exec.ts';
import type { Transport } from '../../src/edge/kube/transport/transport.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { transportTo } from '../kube-transport.ts';
import { onExec } from '../scripted-exec.ts';
import { ScriptedServer } from '../scripted-server/index.ts';
import { ended, NAMESPACE, request, startCluster, startEngine, type Engine, type EngineCluster } from './engine.ts';
import { namespace, storeBackup, type Stored } from './stored-backup.ts';

let cluster: EngineCluster;
let engine: Engine;
let server: ScriptedServer;
let transport: Transport;
const commands: string[] = [];
/** What status says about the pod of each command at the moment it runs. */
const recorded: JsonObject[] = [];

/** The cluster is a pocket one; its pods come up, but only the scripted server knows how to run a command. */
beforeAll(async () => {
  cluster = await startCluster();
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
  onExec(server, 'v5.channel.k8s.io', async ({ url, send, exit }) => {
    const [, , , , space, , pod] = url.pathname.split('/');
    const command = url.searchParams.getAll('command').join(' ');
    commands.push(`${space}/${pod}/${url.searchParams.get('container')}: ${command}`);
    const { items } = await firstPage();
    const records = items.flatMap((object) => objectsAt(object, 'status', 'execHooks'));
    recorded.push(...records.filter(({ namespace, name }) => namespace === space && name === pod));
    await send(2, 'no such table (PGPASSWORD=hunter2 )');
    await exit(command === 'false' ? 3 : 0);
  });
  engine = await startEngine(cluster, {
    kube: { ...cluster.kube, exec: (pod, options) => exec({ transport, clock: systemClock }, pod, options) },
    controllers: (deps, caches) => createRestoreController({}, deps, caches).parts,
  });
}, 60_000);

afterAll(async () => {
  await engine.stop();
  await transport.close();
  await server.stop();
  await cluster[Symbol.asyncDispose]();
});

function pod(name: string, annotations: Record<string, string> = {}, spec: JsonObject = {}): Stored {
  const containers = [
    { name: 'main', image: 'none/none:1' },
    { name: 'side', image: 'none/none:1' },
  ];
  return {
    groupResource: 'pods',
    object: {
      ...{ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'app', annotations } },
      ...{ spec: { containers, ...spec }, status: { phase: 'Running' } },
    },
  };
}

/** Of all restores. */
async function firstPage() {
  for await (const page of cluster.kube.list({ type: Restore, namespace: NAMESPACE }))
    return { items: [...page.items] };
  return { items: [] };
}

const post = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([key, value]) => [`post.hook.restore.velero.io/${key}`, value]));

async function restore(name: string, target: string, hooks: JsonObject = {}): Promise<Restore['status']> {
  const spec = { backupName: 'b', namespaceMapping: { app: target }, hooks };
  await request(cluster.kube, Restore, name, { spec });
  return Restore.parse(await ended(cluster.kube, Restore, name)).value.status;
}

it('runs the commands of annotations and of the spec once their containers are up', async () => {
  await storeBackup(cluster, 'b', [
    namespace('app'),
    pod('db', post({ command: '["load", "dump.sql"]', container: 'side' })),
    pod('web'),
    pod('broken', post({ command: 'false', 'on-error': 'Continue' })),
    pod('late', post({ command: 'true', 'wait-timeout': '1s' }), { nodeSelector: { no: 'node' } }),
  ]);
  const hooks = {
    resources: [
      {
        name: 'warm',
        includedNamespaces: ['app2'],
        postHooks: [{ exec: { command: ['warm', 'up'] } }, { exec: { command: ['false'], onError: 'Fail' } }],
      },
    ],
  };
  const status = await restore('r', 'app2', hooks);
  expect(commands.toSorted()).toEqual([
    'app2/broken/main: false',
    'app2/db/side: load dump.sql',
    'app2/web/main: false',
    'app2/web/main: warm up',
  ]);
  expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 3, warnings: 0 });
  expect(status.hookStatus).toEqual({ hooksAttempted: 5, hooksFailed: 3 });
  // Recorded before it began: a process that died here would not run it again.
  expect(recorded).toHaveLength(commands.length);
  for (const { begun, ended } of recorded) expect(begun).toBe(Number(ended) + 1);
  const results = gunzipSync(readFileSync(join(cluster.bucket, 'restores/r/restore-r-results.gz'))).toString();
  expect(results).toContain('hook warm in container main of pod web failed: exit code 3: no such table');
  const log = gunzipSync(readFileSync(join(cluster.bucket, 'restores/r/restore-r-logs.gz'))).toString();
  // What failed and what went well.
  expect(log.match(/no such table \(PGPASSWORD=\*\*\* \)/g)?.length).toBeGreaterThan(3);
  expect(log + results).not.toContain('hunter2');
  expect(results).toContain(
    'hook <from-annotation> in container main of pod late failed: waited 1 s for the container',
  );
}, 30_000);
