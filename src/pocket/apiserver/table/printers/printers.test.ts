import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../../base/index.ts';
import type { ApiObject } from '../../object/index.ts';
import { BUILTIN_COLUMNS } from './index.ts';

const NOW = Date.UTC(2026, 0, 1, 0, 1);

function row(storage: string, object: object, isWide = false): Json[] {
  const full = {
    kind: 'X',
    apiVersion: 'v1',
    ...object,
    metadata: {
      name: 'n',
      creationTimestamp: '2026-01-01T00:00:00Z',
      ...('metadata' in object ? (object.metadata as object) : {}),
    },
  } as ApiObject;
  const columns = BUILTIN_COLUMNS[storage] ?? [];
  return columns.filter((column) => isWide || column.wide !== true).map((column) => column.cell(full, NOW));
}

const running = { name: 'c', ready: true, restartCount: 0, state: { running: {} } };
const containers = [{ name: 'c', image: 'i' }];

describe('pods', () => {
  it.each([
    ['pending', { spec: { containers }, status: { phase: 'Pending' } }, ['n', '0/1', 'Pending', '0', '60s']],
    [
      'running',
      { spec: { containers }, status: { phase: 'Running', containerStatuses: [running] } },
      ['n', '1/1', 'Running', '0', '60s'],
    ],
    [
      'restarted',
      {
        spec: { containers },
        status: {
          phase: 'Running',
          containerStatuses: [
            {
              ...running,
              ready: false,
              restartCount: 3,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: { finishedAt: '2026-01-01T00:00:30Z' } },
            },
          ],
        },
      },
      ['n', '0/1', 'CrashLoopBackOff', '3 (30s ago)', '60s'],
    ],
    [
      'completed',
      {
        spec: { containers },
        status: {
          phase: 'Succeeded',
          containerStatuses: [{ state: { terminated: { exitCode: 0, reason: 'Completed' } } }],
        },
      },
      ['n', '0/1', 'Completed', '0', '60s'],
    ],
    [
      'failed without a reason',
      {
        spec: { containers },
        status: { phase: 'Failed', containerStatuses: [{ state: { terminated: { exitCode: 3 } } }] },
      },
      ['n', '0/1', 'ExitCode:3', '0', '60s'],
    ],
    [
      'initializing',
      {
        spec: { containers, initContainers: [{ name: 'i1' }, { name: 'i2' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { state: { terminated: { exitCode: 0 } } },
            { state: { waiting: { reason: 'PodInitializing' } } },
          ],
        },
      },
      ['n', '0/1', 'Init:1/2', '0', '60s'],
    ],
    [
      'terminating',
      {
        metadata: { deletionTimestamp: '2026-01-01T00:00:30Z' },
        spec: { containers },
        status: { phase: 'Running', containerStatuses: [running] },
      },
      ['n', '1/1', 'Terminating', '0', '60s'],
    ],
  ])('%s', (_case, pod, expected) => {
    expect(row('pods', pod)).toEqual(expected);
  });
});

describe('other kinds', () => {
  it.each([
    [
      'deployments.apps',
      { spec: { replicas: 3 }, status: { readyReplicas: 2, updatedReplicas: 3, availableReplicas: 1 } },
      ['n', '2/3', 3, 1, '60s'],
    ],
    [
      'services',
      {
        spec: { type: 'NodePort', clusterIPs: ['10.96.0.9'], ports: [{ port: 80, nodePort: 30080, protocol: 'TCP' }] },
      },
      ['n', 'NodePort', '10.96.0.9', '<none>', '80:30080/TCP', '60s'],
    ],
    [
      'services',
      { spec: { type: 'LoadBalancer', clusterIPs: ['10.96.0.9'] } },
      ['n', 'LoadBalancer', '10.96.0.9', '<pending>', '<none>', '60s'],
    ],
    [
      'persistentvolumeclaims',
      {
        spec: { volumeName: 'v', storageClassName: 's' },
        status: { phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'] },
      },
      ['n', 'Bound', 'v', '1Gi', 'RWO', 's', '<unset>', '60s'],
    ],
    [
      'jobs.batch',
      { spec: { completions: 2 }, status: { succeeded: 1, startTime: '2026-01-01T00:00:10Z' } },
      ['n', 'Running', '1/2', '50s', '60s'],
    ],
    [
      'jobs.batch',
      { spec: {}, status: { conditions: [{ type: 'Complete', status: 'True' }] } },
      ['n', 'Complete', '0/1', '', '60s'],
    ],
    [
      'events',
      {
        involvedObject: { kind: 'Pod', name: 'p' },
        reason: 'R',
        message: ' m ',
        type: 'Normal',
        lastTimestamp: '2026-01-01T00:00:50Z',
      },
      ['10s', 'Normal', 'R', 'pod/p', 'm'],
    ],
    [
      'nodes',
      {
        spec: { unschedulable: true },
        status: { conditions: [{ type: 'Ready', status: 'True' }], nodeInfo: { kubeletVersion: 'v1' } },
      },
      ['n', 'Ready,SchedulingDisabled', '<none>', '60s', 'v1'],
    ],
    [
      'endpoints',
      { subsets: [{ addresses: [{ ip: '1.1.1.1' }, { ip: '1.1.1.2' }], ports: [{ port: 80 }, { port: 81 }] }] },
      ['n', '1.1.1.1:80,1.1.1.2:80,1.1.1.1:81 + 1 more...', '60s'],
    ],
    [
      'storageclasses.storage.k8s.io',
      { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }, provisioner: 'p' },
      ['n (default)', 'p', 'Delete', 'Immediate', false, '60s'],
    ],
  ])('%s', (storage, object, expected) => {
    expect(row(storage, object)).toEqual(expected);
  });

  it('never fails on an object that is nothing like it should be', () => {
    const storages = Object.keys(BUILTIN_COLUMNS);
    fc.assert(
      fc.property(fc.constantFrom(...storages), fc.jsonValue(), fc.jsonValue(), (storage, spec, status) => {
        const columns = BUILTIN_COLUMNS[storage]?.length ?? 0;
        expect(row(storage, { spec, status, subsets: spec, roleRef: status }, true)).toHaveLength(columns);
      }),
    );
  });
});
