import { describe, expect, it } from 'vitest';
import { mergedTexts, phaseOfPod, podName } from './identity.ts';
import { mergeOverrides, overridden, spreadOverride } from './override.ts';
import { jobPodSpec, pairPodSpec } from './spec.ts';

describe('the pod of a function', () => {
  it('is the same each time, and called as Kanister calls its own', () => {
    const spec = jobPodSpec({
      image: 'i',
      command: ['c'],
      volumes: { data: { path: '/mnt', isReadOnly: true } },
      serviceAccount: 'sa',
    });
    expect(spec).toEqual({
      containers: [
        {
          name: 'container',
          image: 'i',
          command: ['c'],
          imagePullPolicy: 'IfNotPresent',
          volumeMounts: [{ name: 'vol-3a6eb0790f39', mountPath: '/mnt', readOnly: true }],
        },
      ],
      restartPolicy: 'Never',
      volumes: [{ name: 'vol-3a6eb0790f39', persistentVolumeClaim: { claimName: 'data', readOnly: true } }],
      serviceAccountName: 'sa',
    });
    const purpose = { prefix: 'kanister-job', uid: 'u', ref: { action: 0, phase: 1 }, attempt: 1 };
    expect(podName(purpose)).toBe(podName({ ...purpose }));
    expect(podName(purpose)).toMatch(/^kanister-job-[a-z0-9]{5}$/);
    const others = [
      { uid: 'v' },
      { attempt: 2 },
      { part: 'p' },
      { salt: 1 },
      { ref: { action: 1, phase: 1 } },
      { ref: { action: 0, phase: 'defer' as const } },
    ];
    expect(new Set(others.map((other) => podName({ ...purpose, ...other })).concat(podName(purpose))).size).toBe(7);
  });

  it('tells by its name which phase and attempt it is of, also where its first name was taken', () => {
    const refs = [0, 1, 'defer' as const].map((phase) => ({ ref: { action: 0, phase }, attempt: 1 }));
    const again = { ref: { action: 1, phase: 0 }, attempt: 2 };
    const phases = [...refs, again];
    for (const phase of phases) {
      for (const salt of [0, 4]) {
        const name = podName({ prefix: 'copy-vol-data', uid: 'u', ...phase, salt });
        expect(phaseOfPod(name, 'u', phases)).toBe(phase);
        expect(phaseOfPod(name, 'v', phases)).toBeUndefined();
      }
    }
    expect(phaseOfPod('kanister-job-2xk9f', 'u', phases)).toBeUndefined();
    expect(phaseOfPod('x', 'u', phases)).toBeUndefined();
  });

  it('of MultiContainerRun has two containers and a directory that both see', () => {
    const run = (name: string) => ({ image: name, command: [name] });
    const spec = pairPodSpec({
      output: run('o'),
      background: run('b'),
      init: run('i'),
      shared: { path: '/tmp/', medium: 'Memory', sizeLimit: '1Gi' },
    });
    expect(spec).toMatchObject({
      initContainers: [{ name: 'init', image: 'i' }],
      containers: [{ name: 'output', volumeMounts: [{ name: 'shared', mountPath: '/tmp/' }] }, { name: 'background' }],
      volumes: [{ name: 'shared', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }],
    });
  });

  it('is overridden by the Blueprint, and by the ActionSet over that', () => {
    const merged = mergeOverrides(
      {
        nodeSelector: { a: 'blueprint', b: 'blueprint' },
        containers: [{ name: 'container', env: [{ name: 'X', value: 'b' }] }],
      },
      {
        nodeSelector: { a: 'set' },
        containers: [
          { name: 'side', image: 's' },
          { name: 'container', env: [{ name: 'X', value: 's' }] },
        ],
      },
    );
    expect(merged).toMatchObject({ nodeSelector: { a: 'set', b: 'blueprint' } });
    const spec = overridden(jobPodSpec({ image: 'i', command: ['c'] }), merged, 'container');
    expect(spec['containers']).toEqual([
      {
        name: 'container',
        image: 'i',
        command: ['c'],
        imagePullPolicy: 'IfNotPresent',
        env: [{ name: 'X', value: 's' }],
      },
      { name: 'side', image: 's' },
    ]);
    expect(mergeOverrides({ a: 1 }, undefined)).toEqual({ a: 1 });
    expect(mergeOverrides(undefined, undefined)).toBeUndefined();
  });

  it('spreads an override of `container` over containers with other names', () => {
    const given = {
      hostNetwork: true,
      containers: [
        { name: 'container', image: 'g' },
        { name: 'output', image: 'o' },
      ],
    };
    expect(spreadOverride(given)).toEqual({
      hostNetwork: true,
      containers: [
        { name: 'output', image: 'o' },
        { name: 'background', image: 'g' },
      ],
      initContainers: [{ name: 'init', image: 'g' }],
    });
    expect(spreadOverride({ containers: [{ name: 'output' }] })).toEqual({ containers: [{ name: 'output' }] });
    expect(spreadOverride(undefined)).toBeUndefined();
  });

  it("has the Blueprint's labels over the ActionSet's", () => {
    expect(mergedTexts({ a: 'set', b: 'set' }, { a: 'blueprint' })).toEqual({ a: 'blueprint', b: 'set' });
    expect(mergedTexts({ a: 'set' }, undefined)).toEqual({ a: 'set' });
  });
});
