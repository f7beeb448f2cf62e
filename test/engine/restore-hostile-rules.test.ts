import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Restore } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { createRestoreController } from '../../src/control/controllers/restore/index.ts';
import { watchingLoop } from '../event-loop.ts';
import { CONFIG_MAP } from './cluster-objects.ts';
import { ended, request, startCluster, startEngine, NAMESPACE, type EngineCluster } from './engine.ts';
import { configMap, namespace, storeBackup, type Stored } from './stored-backup.ts';

let cluster: EngineCluster;

beforeEach(async () => {
  cluster = await startCluster();
}, 60_000);

afterEach(async () => {
  await cluster[Symbol.asyncDispose]();
});

/** Without these bounds each of the cases below holds everybody up for at least some seconds, most of them for minutes. */
const MAX_DELAY_MS = 500;

async function restoreWith(items: Stored[], rules: string, field = 'resourceModifier'): Promise<Restore['status']> {
  await storeBackup(cluster, 'b', items);
  const metadata = { name: 'rules', namespace: NAMESPACE };
  const given = { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { rules } };
  await cluster.kube.create({ type: CONFIG_MAP, namespace: NAMESPACE }, given);
  const controllers: Parameters<typeof startEngine>[1]['controllers'] = (deps, caches) =>
    createRestoreController({ parallel: 10 }, deps, caches).parts;
  await using _engine = await startEngine(cluster, { controllers });
  const spec = { backupName: 'b', [field]: { kind: 'ConfigMap', name: 'rules' } };
  const { result, delayMs } = await watchingLoop(async () => {
    await request(cluster.kube, Restore, 'r', { spec });
    return await ended(cluster.kube, Restore, 'r', 50_000);
  });
  expect(delayMs).toBeLessThan(MAX_DELAY_MS);
  return Restore.parse(result).value.status;
}

/** JSON is YAML. */
const rulesOf = (...resourceModifierRules: object[]): string =>
  JSON.stringify({ version: 'v1', resourceModifierRules });
const add = (path: string, value: string): JsonObject => ({ operation: 'add', path, value });
const dull = configMap('app', 'a'.repeat(250));

describe('a restore with a pattern', () => {
  it.each([
    ['^(a*)*\\1b$', 'error parsing regexp: invalid escape sequence: `\\1`'],
    ['((((a{1,100}){1,100}){1,100}){1,100})b', 'error parsing regexp: invalid repeat count'],
  ])('that Go refuses ends in FailedValidation: %s', { timeout: 60_000 }, async (resourceNameRegex, why) => {
    const conditions = { groupResource: 'configmaps', resourceNameRegex };
    const status = await restoreWith([namespace('app'), dull], rulesOf({ conditions, patches: [add('/data/x', 'y')] }));
    expect(status).toMatchObject({
      phase: 'FailedValidation',
      validationErrors: [expect.stringContaining(`resourceNameRegex: ${why}`)],
    });
  });

  it.each(['^(a*)*b$', '^(\\w+-?)+$', '(?:a?){30}a{30}b', '((a{0,30}){0,30})b', '(?:.*a){200}b'])(
    'that V8 would try for years completes: %s',
    { timeout: 60_000 },
    async (resourceNameRegex) => {
      const conditions = { groupResource: 'configmaps', resourceNameRegex: `!${resourceNameRegex}|^b` };
      const evil = { groupResource: 'configmaps', resourceNameRegex };
      const rules = rulesOf(
        { conditions: evil, patches: [add('/data/x', 'y')] },
        { conditions, patches: [add('/data/x', 'z')] },
      );
      const status = await restoreWith([namespace('app'), dull, configMap('app', 'b')], rules);
      expect(status).toMatchObject({ phase: 'Completed', progress: { created: 3 } });
      const changed = await cluster.kube.get({ type: CONFIG_MAP, namespace: 'app', name: 'b' });
      expect(changed['data']).toEqual({ k: 'v', x: 'z' });
    },
  );
});

describe('a restore with rules', () => {
  const large = configMap(
    'app',
    'large',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`key-${index}`, 'x'.repeat(20)])),
  );
  const conditions = { groupResource: 'configmaps' };

  it('by the thousand, of which each changes a large item, completes', { timeout: 60_000 }, async () => {
    const rules = Array.from({ length: 5000 }, (_, index) =>
      index % 2 === 0
        ? { conditions, patches: [add('/data/x', String(index)), { operation: 'remove', path: '/data/x' }] }
        : { conditions, mergePatches: [{ patchData: `{"data": {"y": "${index}"}}` }] },
    );
    const status = await restoreWith([namespace('app'), large], rulesOf(...rules));
    expect(status).toMatchObject({ phase: 'Completed', errors: 0 });
    const { data } = await cluster.kube.get({ type: CONFIG_MAP, namespace: 'app', name: 'large' });
    expect(data).toMatchObject({ y: '4999' });
    expect(data).not.toHaveProperty('x');
  });

  it('that double the item until it is too large leaves it as large as it may be', { timeout: 60_000 }, async () => {
    const double = { operation: 'copy', from: '/metadata/annotations', path: '/metadata/annotations/x' };
    const rules = Array.from({ length: 200 }, () => ({ conditions, patches: Array(10).fill(double) as object[] }));
    const grown = configMap('app', 'c');
    Object.assign(grown.object['metadata'] as JsonObject, { annotations: { k: 'x'.repeat(1000) } });
    const status = await restoreWith([namespace('app'), grown], rulesOf(...rules));
    // The API server does not like what is left of it either.
    expect(status).toMatchObject({ phase: 'PartiallyFailed', errors: 22, progress: { failed: 1 } });
  });

  it.each(['resourceModifier', 'resourcePolicy'])(
    'in YAML that takes minutes to read ends in FailedValidation: %s',
    { timeout: 60_000 },
    async (field) => {
      const keys = Array.from({ length: 15_000 }, (_, index) => `key-${index}: 1`).join(', ');
      const status = await restoreWith([namespace('app')], `{version: v1, ${keys}}`, field);
      expect(status).toMatchObject({
        phase: 'FailedValidation',
        validationErrors: expect.arrayContaining([expect.stringContaining('key-1')]) as string[],
      });
    },
  );
});
