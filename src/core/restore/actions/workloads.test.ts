import { describe, expect, it } from 'vitest';
import { runAction } from '../../../../test/restore-action.ts';
import type { JsonObject } from '../../../base/index.ts';
import { addPvcFromPodAction } from './add-pvc-from-pod.ts';
import { changeImageNameAction } from './change-image-name.ts';
import { initRestoreHookAction } from './init-restore-hook.ts';
import { jobAction } from './job.ts';
import { podAction } from './pod.ts';
import { podVolumeRestoreAction } from './pod-volume-restore.ts';

const pod = (spec: JsonObject, metadata: JsonObject = {}): JsonObject => ({
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'shop', ...metadata },
  spec,
});

describe('waits for volumes', () => {
  it('of an earlier restore are gone, wherever they stand', () => {
    const after = (...names: string[]) =>
      runAction(podVolumeRestoreAction, pod({ initContainers: names.map((name) => ({ name })) })).item['spec'];
    expect(after('restore-wait', 'own', 'restic-wait')).toEqual({ initContainers: [{ name: 'own' }] });
    expect(after('restore-wait')).toEqual({});
    expect(after('own')).toEqual({ initContainers: [{ name: 'own' }] });
  });
});

describe('job', () => {
  const uid = { 'controller-uid': 'u', 'batch.kubernetes.io/controller-uid': 'u' };
  it('takes the identity of the old job out of selector and template', () => {
    const spec = {
      selector: { matchLabels: { ...uid, keep: 'x' } },
      template: { metadata: { labels: { ...uid, keep: 'x' } }, spec: {} },
    };
    expect(runAction(jobAction, { kind: 'Job', spec }).item['spec']).toEqual({
      selector: { matchLabels: { keep: 'x' } },
      template: { metadata: { labels: { keep: 'x' } }, spec: {} },
    });
  });

  it('leaves no empty maps behind, and a job without a selector alone', () => {
    const emptied = runAction(jobAction, { spec: { selector: { matchLabels: uid } } });
    expect(emptied.item).toEqual({ spec: { selector: {} } });
    expect(runAction(jobAction, { spec: { template: {} } }).item).toEqual({ spec: { template: {} } });
  });
});

describe('pod', () => {
  it('frees it of node and priority, and brings its priority class', () => {
    const before = pod({ nodeName: 'n', priority: 100, priorityClassName: 'high', hostname: 'h' });
    const { item, additionalItems } = runAction(podAction, before);
    expect(item['spec']).toEqual({ priorityClassName: 'high', hostname: 'h' });
    expect(additionalItems).toEqual([{ groupResource: 'priorityclasses.scheduling.k8s.io', name: 'high' }]);
  });

  it("drops the token of its account from volumes and every container's mounts", () => {
    const mounts = [{ name: 'sa-token-abcde' }, { name: 'data' }];
    const before = pod({
      serviceAccountName: 'sa',
      volumes: mounts,
      containers: [{ name: 'a', volumeMounts: mounts }, { name: 'b' }],
      initContainers: [{ name: 'i', volumeMounts: [{ name: 'sa-token-abcde' }] }],
    });
    expect(runAction(podAction, before).item['spec']).toEqual({
      serviceAccountName: 'sa',
      volumes: [{ name: 'data' }],
      containers: [{ name: 'a', volumeMounts: [{ name: 'data' }] }, { name: 'b' }],
      initContainers: [{ name: 'i' }],
    });
  });
});

describe('claims of a pod', () => {
  it('come with it, each from the namespace of the pod', () => {
    const volumes = [
      { name: 'a', persistentVolumeClaim: { claimName: 'one' } },
      { name: 'b', emptyDir: {} },
      { name: 'c', persistentVolumeClaim: { claimName: 'two' } },
    ];
    expect(runAction(addPvcFromPodAction, pod({ volumes })).additionalItems).toEqual([
      { groupResource: 'persistentvolumeclaims', namespace: 'shop', name: 'one' },
      { groupResource: 'persistentvolumeclaims', namespace: 'shop', name: 'two' },
    ]);
  });
});

describe('init containers of hooks', () => {
  const spec = {
    hooks: { resources: [{ name: 'h', postHooks: [{ init: { initContainers: [{ name: 'hook', image: 'i' }] } }] }] },
  };
  const after = (own: JsonObject[]): unknown[] => {
    const { item } = runAction(initRestoreHookAction, pod({ initContainers: own }), { spec });
    return ((item['spec'] as JsonObject)['initContainers'] as JsonObject[]).map(({ name }) => name);
  };
  it('stand in front of its own, but behind the one that brings the data', () => {
    expect(after([{ name: 'own' }])).toEqual(['hook', 'own']);
    expect(after([{ name: 'restore-wait' }, { name: 'own' }])).toEqual(['restore-wait', 'hook', 'own']);
    expect(after([{ name: 'own' }, { name: 'restore-wait' }])).toEqual(['hook', 'own', 'restore-wait']);
  });

  it('change nothing where there are none', () => {
    const before = pod({ containers: [] });
    expect(runAction(initRestoreHookAction, before).item).toEqual(before);
  });
});

describe('image names', () => {
  const containers = [{ name: 'c', image: '1.1.1.1:5000/abc:test' }];
  const image = (item: JsonObject, images: Record<string, string>): string =>
    /"image":"([^"]*)"/.exec(JSON.stringify(runAction(changeImageNameAction, item, { config: { images } }).item))![1]!;

  it.each([
    ['1.1.1.1:5000,2.2.2.2:3000', '2.2.2.2:3000/abc:test'],
    ['5000,3000', '1.1.1.1:3000/abc:test'],
    [' abc:test , edf:test ', '1.1.1.1:5000/edf:test'],
    ['1.1.1.1:5000/abc:test,2.2.2.2:3000/edf:test', '2.2.2.2:3000/edf:test'],
    ['nothing,else', '1.1.1.1:5000/abc:test'],
    ['abc', '1.1.1.1:5000/abc:test'],
    ['abc,', '1.1.1.1:5000/abc:test'],
    [',x', '1.1.1.1:5000/abc:test'],
  ])('%s', (rule, expected) => {
    expect(image(pod({ containers }), { rule })).toBe(expected);
  });

  it('are found in every kind of workload', () => {
    const template = { spec: { initContainers: containers } };
    const rule = { a: 'abc,x' };
    expect(image({ kind: 'Deployment', spec: { template } }, rule)).toBe('1.1.1.1:5000/x:test');
    expect(image({ kind: 'CronJob', spec: { jobTemplate: { spec: { template } } } }, rule)).toBe('1.1.1.1:5000/x:test');
  });

  it('take the first rule by key, whatever the order they come in', () => {
    expect(image(pod({ containers }), { b: 'abc,second', a: 'abc,first' })).toBe('1.1.1.1:5000/first:test');
  });

  it('do not grow without end', () => {
    const long = pod({ containers: [{ name: 'c', image: 'a'.repeat(100_000) }] });
    expect(() => image(long, { rule: `a,${'b'.repeat(100_000)}` })).toThrow(
      /cannot change the image aaa.* at most 4096/,
    );
  });
});
