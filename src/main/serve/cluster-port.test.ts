import { expect, it } from 'vitest';
import { ADAPTERS, hasVerb } from '../../core/operations/index.ts';
import { clusterPort } from './cluster-port.ts';
import type { ControlPlane } from './control-plane.ts';
import type { ServedCluster } from './served-cluster.ts';

it('has a planner for every kind that can be planned, and for no other', () => {
  const plane = { ready: Promise.resolve(), namespaces: {}, settings: {} } as unknown as ControlPlane;
  const { planner } = clusterPort({ name: 'c' } as unknown as ServedCluster, plane, 'velero');
  const planned = ADAPTERS.filter((adapter) => hasVerb(adapter, 'plan')).map(({ type }) => type.kind);
  expect(Object.keys(planner.plans)).toEqual(planned);
  const selecting = ADAPTERS.filter((adapter) => hasVerb(adapter, 'items')).map(({ type }) => type.kind);
  expect(Object.keys(planner.selections)).toEqual(selecting);
});
