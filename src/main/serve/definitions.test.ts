import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { ActionSet, Backup, CUSTOM_RESOURCE_DEFINITION as CRD, MigMigration, toCrd } from '../../api/index.ts';
import { AppError, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { absenceOf, unfitFor } from './definitions.ts';

const signal = AbortSignal.timeout(10_000);

/** A definition with upstream's fields alone. */
function upstream(name: string, progress: JsonObject, version = 'v1'): KubeObject {
  const schema = { properties: { status: { properties: { progress: { type: 'object', properties: progress } } } } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: CRD.kind,
    metadata: { name },
    spec: { versions: [{ name: version, schema: { openAPIV3Schema: schema } }] },
  };
}

describe.each([
  ['Velero', Backup, { itemsBackedUp: { type: 'integer' } }],
  ['Kanister', ActionSet, { percentCompleted: { type: 'string' } }],
  ['MTC', MigMigration, {}],
] as const)('the definitions of %s', (_, kind, progress) => {
  const hint = 'Run: headway install --crds-only';

  it('are fit for an engine when they are ours', async () => {
    const cluster = new ScriptedCluster(new FakeClock());
    await cluster.create({ type: CRD }, toCrd(kind) as unknown as KubeObject);
    expect(await unfitFor(cluster, kind, signal)).toBeUndefined();
    expect(await absenceOf(cluster, kind, signal)).toBeUndefined();
  });

  it('are unfit when they are upstream’s, and are seen all the same', async () => {
    const cluster = new ScriptedCluster(new FakeClock());
    await cluster.create({ type: CRD }, upstream(`${kind.plural}.${kind.group}`, progress, kind.version));
    expect(await unfitFor(cluster, kind, signal)).toMatchObject({ code: 'invalidConfig', details: { hint } });
    expect(await absenceOf(cluster, kind, signal)).toBeUndefined();
  });

  it('that are missing, or of another version, are told with the command that helps', async () => {
    const cluster = new ScriptedCluster(new FakeClock());
    expect(await unfitFor(cluster, kind, signal)).toMatchObject({ code: 'notFound', details: { hint } });
    expect(await absenceOf(cluster, kind, signal)).toBe(`the cluster has no CRD ${kind.plural}.${kind.group}`);
    await cluster.create({ type: CRD }, upstream(`${kind.plural}.${kind.group}`, progress, 'v9'));
    expect(await absenceOf(cluster, kind, signal)).toContain(`has no version ${kind.version}`);
  });
});

it('does not know whether a kind is there when it may not ask', async () => {
  const cluster = new ScriptedCluster(new FakeClock());
  cluster.before = () => {
    throw new AppError('forbidden', 'no');
  };
  expect(await absenceOf(cluster, Backup, signal)).toBeUndefined();
  cluster.before = () => {
    throw new AppError('unreachable', 'away');
  };
  await expect(absenceOf(cluster, Backup, signal)).rejects.toThrow('away');
});
