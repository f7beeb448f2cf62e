import { expect, it } from 'vitest';
import { NO_LOG } from '../../../base/index.ts';
import type { KubeClient } from '../../../edge/kube/index.ts';
import { Findings } from './findings.ts';
import type { HookRecord } from './hook-record.ts';
import { PodHooks } from './pod-hooks.ts';

it('is named as what is waited for as long as it runs', async () => {
  const told: string[] = [];
  const running = Promise.withResolvers<{ exitCode: number }>();
  const hooks = new PodHooks({
    kube: { exec: () => running.promise } as unknown as KubeClient,
    hooks: { resources: [{ name: 'freeze', pre: [{ exec: { command: ['fsfreeze'] } }] }] },
    record: {} as HookRecord,
    patience: () => ({ call: (request) => request() }),
    findings: new Findings(NO_LOG),
    onCurrent: () => undefined,
    onWaiting: ({ message }) => told.push(message),
    onResumed: () => told.push('resumed'),
  });
  const pod = { metadata: { namespace: 'shop', name: 'db' }, spec: { containers: [{ name: 'main' }] } };
  const before = hooks.before(pod, { namespace: 'shop', name: 'db' }, new AbortController().signal);
  await Promise.resolve();
  expect(told).toEqual(['hook freeze in container main of pod shop/db still runs']);
  running.resolve({ exitCode: 0 });
  expect(await before).toBe(true);
  expect(told).toHaveLength(2);
});
