import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, Restore, type ResourceType } from '../../src/api/index.ts';
import { textAt, type JsonObject } from '../../src/base/index.ts';
import { eventually } from '../eventually.ts';
import { CONFIG_MAPS, NAMESPACES, objectOf } from '../kube-kinds.ts';
import { servedPocket, type ServedCluster } from '../served-cluster.ts';

const OBJECTS = 2000;
const AT_ONCE = 50;
/** It takes 165; a start that has to strip types first takes 30 more. bench/backup-restore has the real targets. */
const MAX_MB = 250;

describe.skipIf(process.platform !== 'linux')('the server that backs up and restores thousands of objects', () => {
  let cluster: ServedCluster;
  beforeAll(async () => {
    cluster = await servedPocket();
    await cluster.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'source'));
    const left = Array.from({ length: OBJECTS }, (_, index) => `object-${index}`).values();
    const worker = async (): Promise<void> => {
      for (const name of left) {
        const object = objectOf(CONFIG_MAPS, name, { data: { value: name.padEnd(1024, 'x') } });
        await cluster.kube.create({ type: CONFIG_MAPS, namespace: 'source' }, object);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  }, 120_000);
  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  it('stays small', { timeout: 120_000 }, async () => {
    const { child } = await cluster.serve();
    await ends(Backup, 'all', { includedNamespaces: ['source'] });
    const restored = await ends(Restore, 'copy', { backupName: 'all', namespaceMapping: { source: 'copy' } });
    expect(restored['status']).toMatchObject({ phase: 'Completed', progress: { created: OBJECTS + 1 } });
    expect(peakMb(child.pid ?? 0)).toBeLessThan(MAX_MB);
  });

  async function ends(type: ResourceType, name: string, spec: JsonObject): Promise<JsonObject> {
    const target = { type, namespace: 'velero' };
    await cluster.kube.create(target, objectOf(type, name, { metadata: { namespace: 'velero' }, spec }));
    return await eventually(
      async () => {
        const object = await cluster.kube.get({ ...target, name });
        const phase = textAt(object, 'status', 'phase') ?? '';
        if (!['Completed', 'PartiallyFailed', 'Failed'].includes(phase)) throw new Error(`${name} is ${phase}`);
        return object;
      },
      { withinMs: 60_000 },
    );
  }
});

function peakMb(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
}
