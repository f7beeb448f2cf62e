import { describe, expect, it } from 'vitest';
import type { Node, PodSpec } from './kinds/index.ts';
import { matchesTerms, misfitOf } from './node-fit.ts';

const node = (spec: Node['spec'] = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'pocket', labels: { disk: 'fast', cores: '4' } },
  spec,
});
const pod = (spec: Partial<PodSpec> = {}): PodSpec => ({ containers: [], ...spec });

describe('misfitOf', () => {
  it('lets a plain pod on a plain node', () => {
    expect(misfitOf(pod(), node())).toBeUndefined();
  });

  it('follows nodeSelector and required affinity', () => {
    expect(misfitOf(pod({ nodeSelector: { disk: 'fast' } }), node())).toBeUndefined();
    expect(misfitOf(pod({ nodeSelector: { disk: 'slow' } }), node())).toEqual({ misfit: 'nodeAffinity' });
    const affinity = (values: string[]) => ({
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: 'cores', operator: 'Gt', values }] }],
        },
      },
    });
    expect(misfitOf(pod({ affinity: affinity(['2']) }), node())).toBeUndefined();
    expect(misfitOf(pod({ affinity: affinity(['8']) }), node())).toEqual({ misfit: 'nodeAffinity' });
  });

  it('keeps pods off a cordoned node unless they tolerate it', () => {
    expect(misfitOf(pod(), node({ unschedulable: true }))).toEqual({ misfit: 'unschedulable' });
    const tolerations = [{ key: 'node.kubernetes.io/unschedulable', operator: 'Exists', effect: 'NoSchedule' }];
    expect(misfitOf(pod({ tolerations }), node({ unschedulable: true }))).toBeUndefined();
  });

  it.each([
    ['no toleration', [], true],
    ['the same key and value', [{ key: 'gpu', value: 'yes', effect: 'NoSchedule' }], false],
    ['another value', [{ key: 'gpu', value: 'no' }], true],
    ['any value', [{ key: 'gpu', operator: 'Exists' }], false],
    ['everything', [{ operator: 'Exists' }], false],
    ['another effect', [{ key: 'gpu', operator: 'Exists', effect: 'NoExecute' }], true],
  ])('taint against %s', (_name, tolerations, isMisfit) => {
    const taint = { key: 'gpu', value: 'yes', effect: 'NoSchedule' };
    const found = misfitOf(pod({ tolerations }), node({ taints: [taint] }));
    expect(found).toEqual(isMisfit ? { misfit: 'taint', taint } : undefined);
  });

  it('only prefers to avoid PreferNoSchedule', () => {
    expect(misfitOf(pod(), node({ taints: [{ key: 'a', effect: 'PreferNoSchedule' }] }))).toBeUndefined();
  });
});

it('matchesTerms knows the name of the node, alternatives, and that an empty term matches nothing', () => {
  const named = (name: string) => ({ matchFields: [{ key: 'metadata.name', operator: 'In', values: [name] }] });
  expect(matchesTerms([named('pocket')], node())).toBe(true);
  expect(matchesTerms([named('other'), named('pocket')], node())).toBe(true);
  expect(matchesTerms([{}], node())).toBe(false);
  expect(matchesTerms([], node())).toBe(false);
});
