import { describe, expect, it } from 'vitest';
import { going, pod } from '../../../../test/pocket/sample-objects.ts';
import type { DisruptionBudget, EndpointSlice, Service } from '../kinds/index.ts';
import { budgetStatus } from './disruption-budget.ts';
import { planSlices } from './endpoint-slices-plan.ts';
import { endpointsLabels, endpointsSubsets } from './endpoints-object.ts';

const service = (spec: Service['spec'] = {}): Service => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'shop', uid: 'u', labels: { team: 'a' } },
  spec: {
    clusterIP: '10.96.0.5',
    selector: { app: 'web' },
    ports: [{ name: 'http', port: 80, targetPort: 8080 }],
    ...spec,
  },
});
const at = (name: string, podIP: string, change: Parameters<typeof pod>[1] = {}) =>
  pod(name, {
    ...change,
    status: { podIP, conditions: [{ type: 'Ready', status: change.ready === false ? 'False' : 'True' }] },
  });
const target = (name: string) => ({ kind: 'Pod', namespace: 'shop', name, uid: `uid-${name}` });

describe('endpointsSubsets', () => {
  it('sorts pods by readiness and leaves out those without an address, ended or leaving', () => {
    const pods = [
      at('b', '10.244.0.2'),
      at('a', '10.244.0.1'),
      at('c', '10.244.0.3', { ready: false }),
      at('d', ''),
      at('e', '10.244.0.5', { metadata: going }),
      pod('f', { status: { phase: 'Succeeded', podIP: '10.244.0.6' } }),
    ];
    expect(endpointsSubsets(service(), pods)).toEqual([
      {
        addresses: [
          { ip: '10.244.0.1', nodeName: 'pocket', targetRef: target('a') },
          { ip: '10.244.0.2', nodeName: 'pocket', targetRef: target('b') },
        ],
        notReadyAddresses: [{ ip: '10.244.0.3', nodeName: 'pocket', targetRef: target('c') }],
        ports: [{ name: 'http', port: 8080, protocol: 'TCP' }],
      },
    ]);
  });

  it('publishes all when asked to', () => {
    const subsets = endpointsSubsets(service({ publishNotReadyAddresses: true }), [
      at('c', '10.244.0.3', { ready: false }),
    ]);
    expect(subsets[0]?.addresses).toHaveLength(1);
  });

  it('finds a named port in each pod, and groups by what it found', () => {
    const named = service({ ports: [{ port: 80, targetPort: 'http' }] });
    const withPort = (name: string, ip: string, containerPort: number) =>
      at(name, ip, { spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort }] }] } });
    const subsets = endpointsSubsets(named, [withPort('a', '10.244.0.1', 8080), withPort('b', '10.244.0.2', 9090)]);
    expect(subsets.map(({ ports }) => ports?.[0]?.['port'])).toEqual([8080, 9090]);
    expect(endpointsSubsets(named, [at('a', '10.244.0.1')])).toEqual([]);
  });

  it('gives the pods of a stateful set their names', () => {
    const headless = service({ clusterIP: 'None' });
    const [subset] = endpointsSubsets(headless, [
      at('web-0', '10.244.0.1', { spec: { containers: [], hostname: 'web-0', subdomain: 'web' } }),
    ]);
    expect(subset?.addresses).toMatchObject([{ hostname: 'web-0' }]);
    expect(endpointsLabels(headless)).toEqual({
      team: 'a',
      'service.kubernetes.io/headless': '',
      'endpoints.kubernetes.io/managed-by': 'endpoint-controller',
    });
  });
});

describe('planSlices', () => {
  const made = (count: number): EndpointSlice[] => {
    const pods = Array.from({ length: count }, (_, i) => at(`p${i}`, `10.244.1.${i}`));
    return planSlices(service(), pods, []).create.map((slice, i) => ({
      ...(slice as unknown as EndpointSlice),
      metadata: { ...(slice as unknown as EndpointSlice).metadata, name: `web-${i}` },
    }));
  };

  it('has one empty slice for a service without pods', () => {
    expect(made(0)).toMatchObject([{ addressType: 'IPv4', endpoints: [], ports: [] }]);
  });

  it('puts no more than a hundred into a slice', () => {
    expect(made(250).map(({ endpoints }) => endpoints?.length)).toEqual([100, 100, 50]);
  });

  it('changes nothing when nothing changed, and fills slices that are there', () => {
    const pods = [at('p0', '10.244.1.0')];
    const existing = made(1);
    expect(planSlices(service(), pods, existing)).toEqual({ create: [], update: [], remove: [] });
    const more = planSlices(service(), [...pods, at('p1', '10.244.1.1')], existing);
    expect([more.create.length, more.update.length, more.remove.length]).toEqual([0, 1, 0]);
    const fewer = planSlices(service(), pods, [...existing, { ...existing[0]!, metadata: { name: 'web-x' } }]);
    expect(fewer.remove.map(({ metadata }) => metadata.name)).toEqual(['web-x']);
  });

  it('shows pods that are leaving as such', () => {
    const [slice] = planSlices(service(), [at('p0', '10.244.1.0', { metadata: going })], []).create;
    expect((slice as unknown as EndpointSlice).endpoints?.[0]).toMatchObject({
      addresses: ['10.244.1.0'],
      conditions: { ready: false, serving: true, terminating: true },
    });
  });
});

describe('budgetStatus', () => {
  const budget = (spec: DisruptionBudget['spec']): DisruptionBudget => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'web', generation: 3 },
    spec: spec ?? {},
  });
  const pods = [pod('a'), pod('b'), pod('c', { ready: false })];

  it.each([
    [{ minAvailable: 1 }, { currentHealthy: 2, desiredHealthy: 1, disruptionsAllowed: 1, expectedPods: 3 }],
    [{ minAvailable: 3 }, { desiredHealthy: 3, disruptionsAllowed: 0 }],
    [{ minAvailable: '50%' }, { desiredHealthy: 2, expectedPods: 4, disruptionsAllowed: 0 }],
    [{ maxUnavailable: 3 }, { desiredHealthy: 1, expectedPods: 4, disruptionsAllowed: 1 }],
  ])('%j', (spec, expected) => {
    expect(budgetStatus(budget(spec), pods, 4, 't')).toMatchObject({ ...expected, observedGeneration: 3 });
  });

  it('allows nothing where nothing is', () => {
    const status = budgetStatus(budget({ minAvailable: 0 }), [], 0, 't');
    expect(status).toMatchObject({
      disruptionsAllowed: 0,
      conditions: [{ type: 'DisruptionAllowed', status: 'False' }],
    });
  });
});
