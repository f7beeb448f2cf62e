import { expect } from 'vitest';
import { ActionSet, Blueprint, CONFIG_MAP, DEPLOYMENT } from '../../src/api/index.ts';
import { objectAt, objectsAt, textAt, valueAt, type JsonObject } from '../../src/base/index.ts';
import { createActionController } from '../../src/control/action/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { conforms } from './conformance.ts';
import { makeApplication } from './sample.ts';
import { VELERO, type World } from './world.ts';

const PHASES: Readonly<Record<string, string>> = { complete: 'Completed', failed: 'Failed', running: 'InProgress' };
const SPACE = 'shop';

const create = (name: string, made: string): JsonObject => {
  const spec = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: made, namespace: SPACE } };
  return { func: 'KubeOps', name, args: { operation: 'create', namespace: SPACE, spec: JSON.stringify(spec) } };
};
const BLUEPRINT = {
  go: {
    outputArtifacts: { count: { keyValue: { before: '{{ .Phases.down.Output.originalReplicaCount }}' } } },
    phases: [
      create('make', 'made'),
      { func: 'ScaleWorkload', name: 'down', args: { replicas: 0, waitForReady: false } },
      // A command that may have run when the process died is run again only where its phase says so.
      { func: 'KubeExec', name: 'warm', retries: 1, args: { namespace: SPACE, pod: 'db', command: ['warm'] } },
    ],
    deferPhase: create('clean', 'cleaned'),
  },
};

function creations(world: World, name: string): number {
  const target = { type: CONFIG_MAP, namespace: SPACE, name };
  return new Set(world.kube.history(target).map(({ metadata }) => metadata.uid)).size;
}

function actionOf(object: KubeObject): JsonObject {
  return objectsAt(object, 'status', 'actions')[0] ?? {};
}

conforms({
  type: ActionSet,
  hasStore: false,
  controllers: (deps, caches) => createActionController(deps, caches).parts,
  prepare: async (world) => {
    await makeApplication(world);
    const web = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: SPACE } };
    await world.kube.create({ type: DEPLOYMENT, namespace: SPACE }, { ...web, spec: { replicas: 3 } });
    const blueprint = { apiVersion: 'cr.kanister.io/v1alpha1', kind: 'Blueprint', metadata: { name: 'b' } };
    await world.kube.create({ type: Blueprint, namespace: VELERO }, { ...blueprint, actions: BLUEPRINT });
  },
  spec: {
    actions: [{ name: 'go', blueprint: 'b', object: { kind: 'Deployment', name: 'web', namespace: SPACE } }],
  },
  standing: (object) => ({
    phase: PHASES[textAt(object, 'status', 'state') ?? ''] ?? 'New',
    reason: textAt(object, 'status', 'error', 'message'),
  }),
  check: (world, { object, isWhole }) => {
    const action = actionOf(object);
    const states = objectsAt(action, 'phases').map(({ state }) => state);
    for (const name of ['made', 'cleaned'])
      expect(creations(world, name), 'nothing is done twice').toBeLessThanOrEqual(1);
    expect(object.metadata.finalizers ?? []).toEqual([]);
    expect(textAt(object, 'status', 'progress', 'runningPhase') ?? '').toBe('');
    expect(states).not.toContain('running');
    // What has begun is cleaned up, whatever became of it.
    if (creations(world, 'made') > 0) expect(textAt(action, 'deferPhase', 'state')).toMatch(/complete|failed/);
    // Each time a command runs, its attempt is in the status before.
    const { attempt = 0 } = (objectsAt(action, 'phases')[2] ?? {}) as { attempt?: number };
    expect(world.kube.ran.length).toBeLessThanOrEqual(attempt);
    if (!isWhole) return;
    expect(states).toEqual(['complete', 'complete', 'complete']);
    expect([creations(world, 'made'), creations(world, 'cleaned')]).toEqual([1, 1]);
    expect(objectAt(action, 'artifacts')).toEqual({ count: { keyValue: { before: '3' } } });
    expect(textAt(object, 'status', 'progress', 'percentCompleted')).toBe('100.00');
    const web = world.kube.peek({ type: DEPLOYMENT, namespace: SPACE, name: 'web' });
    expect(valueAt(web, 'spec', 'replicas')).toBe(0);
  },
  checkDeleted: (world) => {
    expect(creations(world, 'cleaned')).toBeGreaterThanOrEqual(creations(world, 'made'));
    expect(creations(world, 'cleaned')).toBeLessThanOrEqual(1);
  },
});
