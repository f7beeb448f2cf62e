import { describe, expect, it } from 'vitest';
import type { Restore } from '../../api/index.ts';
import type { JsonObject } from '../../base/index.ts';
import { execHookMark, execHooksFor, initContainersFor } from './hooks.ts';

type Spec = Restore['spec'];
const pod = (annotations: JsonObject = {}, labels: JsonObject = {}): JsonObject => ({
  metadata: { name: 'p', namespace: 'shop', annotations, labels },
  spec: { containers: [{ name: 'main' }, { name: 'side' }] },
});
const exec = (more: JsonObject = {}): Spec => ({
  hooks: { resources: [{ name: 'h', postHooks: [{ exec: { command: ['c'], ...more } }] }] },
});
const DEFAULTS = {
  source: 'h',
  container: 'main',
  command: ['c'],
  onError: 'Continue',
  execTimeoutMs: 30_000,
  waitTimeoutMs: 4 * 3_600_000,
  waitForReady: false,
};

describe('commands of the spec', () => {
  it('have defaults, and no wait is for ever', () => {
    expect(execHooksFor(pod(), exec())).toEqual([DEFAULTS]);
    expect(execHooksFor(pod(), { ...exec(), itemOperationTimeout: '1h' })).toEqual([
      { ...DEFAULTS, waitTimeoutMs: 3_600_000 },
    ]);
  });

  it('are taken as given', () => {
    const given = { container: 'side', onError: 'Fail', execTimeout: '1m', waitTimeout: '5m', waitForReady: true };
    expect(execHooksFor(pod(), exec(given))).toEqual([
      {
        ...DEFAULTS,
        container: 'side',
        onError: 'Fail',
        execTimeoutMs: 60_000,
        waitTimeoutMs: 300_000,
        waitForReady: true,
      },
    ]);
  });

  it.each<[string, object, boolean]>([
    ['another namespace', { includedNamespaces: ['other'] }, false],
    ['the namespace by glob', { includedNamespaces: ['sh*'] }, true],
    ['an excluded namespace', { excludedNamespaces: ['shop'] }, false],
    ['its labels', { labelSelector: { matchLabels: { app: 'x' } } }, true],
    ['other labels', { labelSelector: { matchLabels: { app: 'y' } } }, false],
  ])('are for pods by %s', (_, selection, isFor) => {
    const spec = { hooks: { resources: [{ name: 'h', ...selection, postHooks: [{ exec: { command: ['c'] } }] }] } };
    expect(execHooksFor(pod({}, { app: 'x' }), spec)).toHaveLength(isFor ? 1 : 0);
  });

  it('name namespaces by where pods go', () => {
    const hooks = {
      resources: [{ name: 'h', includedNamespaces: ['new'], postHooks: [{ exec: { command: ['c'] } }] }],
    };
    expect(execHooksFor(pod(), { hooks })).toEqual([]);
    expect(execHooksFor(pod(), { hooks, namespaceMapping: { shop: 'new' } })).toHaveLength(1);
  });
});

describe('commands of annotations', () => {
  const PRE = 'post.hook.restore.velero.io';

  it('have a mark in the text of their pod, unless the spec has some for any pod', () => {
    const hooked = pod({ [`${PRE}/command`]: '["x"]' });
    expect(JSON.stringify(hooked)).toContain(execHookMark({}));
    expect(JSON.stringify(pod())).not.toContain(execHookMark({ hooks: { resources: [] } }));
    expect(execHookMark(exec())).toBe('');
  });

  it('go before the spec', () => {
    const annotations = {
      [`${PRE}/command`]: '["/bin/sh", "-c", "x"]',
      [`${PRE}/container`]: 'side',
      [`${PRE}/on-error`]: 'Fail',
      [`${PRE}/exec-timeout`]: '10s',
      [`${PRE}/wait-timeout`]: '1m',
      [`${PRE}/wait-for-ready`]: 'true',
    };
    expect(execHooksFor(pod(annotations), exec())).toEqual([
      {
        source: '<from-annotation>',
        container: 'side',
        command: ['/bin/sh', '-c', 'x'],
        onError: 'Fail',
        execTimeoutMs: 10_000,
        waitTimeoutMs: 60_000,
        waitForReady: true,
      },
    ]);
  });

  it.each([
    ['/bin/x y', ['/bin/x y']],
    ['[ -f x ]', ['[ -f x ]']],
    ['[1]', ['[1]']],
  ])('read "%s" as %j', (command, words) => {
    const [hook] = execHooksFor(pod({ [`${PRE}/command`]: command, [`${PRE}/exec-timeout`]: 'soon' }), {});
    expect(hook).toEqual({ ...DEFAULTS, source: '<from-annotation>', command: words });
  });
});

describe('init containers', () => {
  const INIT = 'init.hook.restore.velero.io';
  const spec: Spec = {
    hooks: {
      resources: [
        {
          name: 'a',
          postHooks: [{ init: { initContainers: [{ name: 'one' }, { name: 'two' }] } }, { exec: { command: ['c'] } }],
        },
        { name: 'b', excludedNamespaces: ['shop'], postHooks: [{ init: { initContainers: [{ name: 'three' }] } }] },
      ],
    },
  };
  it('come from the spec', () => {
    expect(initContainersFor(pod(), spec)).toEqual([{ name: 'one' }, { name: 'two' }]);
  });

  it('or from annotations, which go before', () => {
    const annotations = {
      [`${INIT}/container-image`]: 'i',
      [`${INIT}/container-name`]: 'n',
      [`${INIT}/command`]: '["a","b"]',
    };
    expect(initContainersFor(pod(annotations), spec)).toEqual([{ image: 'i', name: 'n', command: ['a', 'b'] }]);
  });

  it('have a name that is the same every time, and no command unless given', () => {
    const [container] = initContainersFor(pod({ [`${INIT}/container-image`]: 'i' }), {});
    expect(Object.keys(container ?? {}).toSorted()).toEqual(['image', 'name']);
    expect(container?.name).toMatch(/^velero-restore-init-[0-9a-f]{8}$/);
    expect(initContainersFor(pod({ [`${INIT}/container-image`]: 'i' }), {})).toEqual([container]);
  });
});
