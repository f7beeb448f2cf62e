import { describe, expect, it } from 'vitest';
import { TYPES } from '../../../test/backup/sample-cluster.ts';
import type { BackupSpec } from '../../api/index.ts';
import type { JsonObject } from '../../base/index.ts';
import { hooksForPod } from './hooks.ts';
import { resourceNames } from '../selection/index.ts';

const NAMES = resourceNames(TYPES);
const pod = (annotations: Record<string, string> = {}, more: JsonObject = {}): JsonObject => ({
  metadata: { name: 'web', namespace: 'shop', labels: { app: 'x' }, annotations },
  spec: { containers: [{ name: 'main' }, { name: 'side' }] },
  status: { phase: 'Running' },
  ...more,
});
type Hooks = NonNullable<NonNullable<BackupSpec['hooks']>['resources']>;
const pre = [{ exec: { command: ['freeze'] } }];
const hooks = (object: JsonObject, ...resources: Hooks) => hooksForPod(object, { resources }, NAMES);

describe('hooks of the spec', () => {
  it('have defaults', () => {
    expect(
      hooks(pod(), {
        name: 'h',
        pre,
        post: [{ exec: { command: ['thaw'], container: 'side', onError: 'Continue', timeout: '2m' } }],
      }),
    ).toEqual({
      pre: [{ name: 'h', container: 'main', command: ['freeze'], onError: 'Continue', timeoutMs: 30_000 }],
      post: [{ name: 'h', container: 'side', command: ['thaw'], onError: 'Continue', timeoutMs: 120_000 }],
      warnings: [],
    });
  });

  it.each<[string, Partial<Hooks[number]>, boolean]>([
    ['everywhere', {}, true],
    ['in its namespace', { includedNamespaces: ['shop'] }, true],
    ['in all namespaces', { includedNamespaces: ['*'] }, true],
    ['elsewhere', { includedNamespaces: ['other'] }, false],
    ['not in its namespace', { excludedNamespaces: ['sho*'] }, false],
    ['for pods by short name', { includedResources: ['po'] }, true],
    ['for other kinds', { includedResources: ['deploy'] }, false],
    ['not for pods', { excludedResources: ['pod'] }, false],
    ['for its labels', { labelSelector: { matchLabels: { app: 'x' } } }, true],
    ['for other labels', { labelSelector: { matchLabels: { app: 'y' } } }, false],
    [
      'with expressions',
      {
        labelSelector: {
          matchExpressions: [
            { key: 'app', operator: 'Exists' },
            { key: 'b', operator: 'DoesNotExist' },
            { key: 'app', operator: 'NotIn', values: ['z'] },
          ],
        },
      },
      true,
    ],
  ])('%s', (_, selection, applies) => {
    expect(hooks(pod(), { name: 'h', pre, ...selection }).pre).toHaveLength(applies ? 1 : 0);
  });

  it('run in the order of the spec', () => {
    const names = hooks(pod(), { name: 'a', pre: [...pre, ...pre] }, { name: 'b', pre }).pre.map(({ name }) => name);
    expect(names).toEqual(['a', 'a', 'b']);
  });

  it('fail at once for a container that is not there', () => {
    const [hook] = hooks(pod(), { name: 'h', pre: [{ exec: { command: ['x'], container: 'gone' } }] }).pre;
    expect(hook?.problem).toBe('the pod has no container "gone"');
  });

  it.each(['Succeeded', 'Failed'])('leave a pod alone that has %s', (phase) => {
    expect(hooks(pod({}, { status: { phase } }), { name: 'h', pre }).pre).toEqual([]);
  });
});

describe('hooks of annotations', () => {
  it('replace those of the spec for their moment only', () => {
    const annotated = pod({
      'pre.hook.backup.velero.io/command': '["/bin/sh","-c","sync"]',
      'pre.hook.backup.velero.io/timeout': '1m',
      'pre.hook.backup.velero.io/on-error': 'Continue',
      'pre.hook.backup.velero.io/container': 'side',
    });
    expect(hooks(annotated, { name: 'h', pre, post: pre })).toEqual({
      pre: [
        {
          name: '<from-annotation>',
          container: 'side',
          command: ['/bin/sh', '-c', 'sync'],
          onError: 'Continue',
          timeoutMs: 60_000,
        },
      ],
      post: [{ name: 'h', container: 'main', command: ['freeze'], onError: 'Continue', timeoutMs: 30_000 }],
      warnings: [],
    });
  });

  it.each([
    ['sync', ['sync']],
    ['[not json', ['[not json']],
    ['[1,2]', ['[1,2]']],
    ['["a"]', ['a']],
  ])('read the command %s', (text, command) => {
    expect(hooks(pod({ 'post.hook.backup.velero.io/command': text })).post[0]?.command).toEqual(command);
  });

  it('without a moment are the old form of pre', () => {
    const { pre: before, post } = hooks(pod({ 'hook.backup.velero.io/command': 'sync' }));
    expect([before.length, post.length]).toEqual([1, 0]);
  });

  it('warn of a timeout that is none, and take what they can', () => {
    const {
      pre: [hook],
      warnings,
    } = hooks(
      pod({
        'pre.hook.backup.velero.io/command': 'sync',
        'pre.hook.backup.velero.io/timeout': 'soon',
        'pre.hook.backup.velero.io/on-error': 'Shrug',
      }),
    );
    expect(hook).toMatchObject({ timeoutMs: 30_000, onError: 'Continue' });
    expect(warnings).toEqual([
      'annotation pre.hook.backup.velero.io/timeout: expected a duration such as 30s, got "soon"; 30s is used',
    ]);
  });
});
