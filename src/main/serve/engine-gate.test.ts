import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../test/scripted-cluster/recording-log.ts';
import { AppError } from '../../base/index.ts';
import { CUSTOM_RESOURCE_DEFINITION as CRD, DEPLOYMENT, KINDS, toCrd } from '../../api/index.ts';
import type { OperationGroup } from '../../core/operations/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { EngineGate, type GateOptions } from './engine-gate.ts';
import { ENGINES, type Engine } from './engines.ts';
import { noEngine } from './no-engine.ts';

const NAMESPACES = { velero: 'velero', migration: 'openshift-migration' };
/** Those that are not built yet, as they will be. */
const engine = (name: OperationGroup): Engine => ({ create: () => [], ...ENGINES[name] });

const RIVALS = {
  velero: { name: 'velero', namespace: 'velero', labels: {}, title: 'Velero' },
  kanister: { name: 'my-kanister', namespace: 'tools', labels: { app: 'kanister-operator' }, title: 'Kanister' },
  migration: { name: 'migration-controller', namespace: 'openshift-migration', labels: {}, title: 'MTC' },
} as const;

function deployment(name: OperationGroup, replicas?: number): KubeObject {
  const { title: _, ...metadata } = RIVALS[name];
  const spec = replicas === undefined ? {} : { replicas };
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec };
}
const place = (name: OperationGroup) => ({ type: DEPLOYMENT, namespace: RIVALS[name].namespace });

async function setUp(name: OperationGroup, options: Partial<GateOptions> = {}, of: Engine = engine(name)) {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const log = recordingLog();
  for (const kind of KINDS) await cluster.create({ type: CRD }, toCrd(kind) as unknown as KubeObject);
  const gate = new EngineGate(
    of,
    { namespaces: NAMESPACES, isChosen: true, isForced: false, isSeen: () => true, ...options },
    { kube: cluster, clock, log, random: () => 0.5 },
  );
  const stop = new AbortController();
  const start = async (): Promise<void> => {
    await gate.look(stop.signal);
    void gate.run(stop.signal);
    await clock.advance(0);
  };
  return { clock, cluster, log, gate, start, stop };
}

describe.each(['velero', 'kanister', 'migration'] as const)('the gate of the %s engine', (name) => {
  const { title, namespace } = RIVALS[name];

  it('is open, and shuts while its rival runs', async () => {
    const { clock, cluster, gate, log, start } = await setUp(name);
    await cluster.create(place(name), deployment(name, 0));
    await start();
    expect([gate.state(), gate.door.inside?.aborted]).toEqual([{ state: 'on' }, false]);
    const inside = gate.door.inside!;
    const scale = async (replicas: number): Promise<void> => {
      const target = { ...place(name), name: RIVALS[name].name };
      await cluster.patch(target, { kind: 'merge', body: { spec: { replicas } } });
      await clock.advance(0);
    };
    await scale(1);
    expect(inside.aborted).toBe(true);
    expect(gate.state()).toMatchObject({
      state: 'off',
      reason: expect.stringContaining(`${title} runs in namespace ${namespace}`) as string,
    });
    await scale(0);
    expect([gate.state(), gate.door.inside?.aborted]).toEqual([{ state: 'on' }, false]);
    expect(log.lines.map(({ message }) => message).filter((each) => each.startsWith('engine'))).toEqual([
      'engine is on',
      'engine is off',
      'engine is on',
    ]);
  });

  it('is shut from the start beside a running rival, and says what helps', async () => {
    const { cluster, gate, start } = await setUp(name);
    await cluster.create(place(name), deployment(name));
    await start();
    expect(gate.door.inside).toBeUndefined();
    expect(noEngine([gate])).toMatchObject({
      code: 'conflict',
      message: expect.stringContaining(`${title} runs`) as string,
      details: { hint: expect.stringContaining(`kubectl -n ${namespace} scale deployment`) as string },
    });
    expect(gate.state().hint).toContain(`kubectl -n ${namespace} scale deployment`);
  });

  it('opens when the definitions get our fields', async () => {
    const { clock, cluster, gate, start } = await setUp(name);
    const [need] = engine(name).needs;
    const crd = { type: CRD, name: `${need!.plural}.${need!.group}` };
    await cluster.delete(crd);
    await start();
    expect([gate.state().state, gate.door.inside]).toEqual(['off', undefined]);
    const kind = KINDS.find((each) => each.kind === need!.kind)!;
    await cluster.create({ type: CRD }, toCrd(kind) as unknown as KubeObject);
    await clock.advance(20_000);
    expect(gate.state()).toEqual({ state: 'on' });
  });
});

it('does not open before what it needs has been listed', async () => {
  let isSeen = false;
  const { gate, start } = await setUp('velero', { isSeen: () => isSeen });
  await start();
  expect(gate.door.inside).toBeUndefined();
  isSeen = true;
  gate.reconsider();
  expect(gate.door.inside?.aborted).toBe(false);
});

it('can be forced to work beside Velero', async () => {
  const { cluster, gate, start } = await setUp('velero', { isForced: true });
  await cluster.create(place('velero'), deployment('velero', 1));
  await start();
  expect(gate.state()).toEqual({ state: 'on' });
});

it('is shut, and keeps nothing else from running, where it may not look for its rival; rights open it', async () => {
  const { clock, cluster, gate, start } = await setUp('kanister');
  cluster.before = (call) => {
    if (call.target.type.plural === 'deployments') throw new AppError('forbidden', 'list deployments: forbidden');
  };
  await start();
  expect(gate.state()).toMatchObject({
    state: 'off',
    reason: 'whether Kanister runs cannot be seen: list deployments: forbidden',
    hint: expect.stringContaining('headway install') as string,
  });
  expect(gate.door.inside).toBeUndefined();
  cluster.before = () => undefined;
  await clock.advance(120_000);
  expect(gate.state()).toEqual({ state: 'on' });
});

it('stays as it was while the cluster does not answer', async () => {
  const { clock, cluster, gate, start } = await setUp('velero');
  await start();
  cluster.before = () => {
    throw new Error('away');
  };
  await clock.advance(120_000);
  expect(gate.state()).toEqual({ state: 'on' });
});

describe('an engine that does not run', () => {
  it('says so plainly when it was not chosen, and looks at nothing', async () => {
    const { cluster, gate, log, start } = await setUp('velero', { isChosen: false });
    cluster.calls.length = 0;
    await start();
    gate.reconsider();
    expect(gate.state()).toEqual({ state: 'notChosen', reason: '--engines does not name velero' });
    expect([gate.door.inside, cluster.calls, log.lines]).toEqual([undefined, [], []]);
  });

  it.each(['migration'] as const)('says so plainly when there is no %s engine', async (name) => {
    if (ENGINES[name].create !== undefined) return;
    const { gate, log, start } = await setUp(name, {}, ENGINES[name]);
    await start();
    const reason = `this version of Headway has no ${name} engine`;
    expect(gate.state()).toEqual({ state: 'notBuilt', reason });
    expect(log.lines).toMatchObject([{ message: 'engine is off', fields: { reason } }]);
    expect(noEngine([gate])?.message).toBe(reason);
  });

  it('is no reason to refuse when another one runs, or when none was asked for', async () => {
    const [migration, velero] = [await setUp('migration', {}, ENGINES.migration), await setUp('velero')];
    await velero.start();
    expect([noEngine([migration.gate, velero.gate]), noEngine([])]).toEqual([undefined, undefined]);
    await velero.cluster.create(place('velero'), deployment('velero', 1));
    await velero.clock.advance(0);
    expect(noEngine([migration.gate, velero.gate])?.message).toMatch(
      /^none of the chosen engines can run: migration: .* has no migration engine; velero: Velero runs in namespace velero/,
    );
  });
});
