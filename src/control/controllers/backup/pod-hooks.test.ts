import { expect, it } from 'vitest';
import { AppError, NO_LOG } from '../../../base/index.ts';
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
    record: { has: () => false } as unknown as HookRecord,
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

it('goes on with the next pod when one cannot be forgotten', async () => {
  const findings = new Findings(NO_LOG);
  const asked: string[] = [];
  const open = ['gone', 'next'].map((name) => ({ namespace: 'shop', name }));
  const away = new AppError('unreachable', 'connection refused');
  const hooks = new PodHooks({
    kube: {
      get: ({ name }: { name: string }) => {
        asked.push(name);
        return Promise.reject(new AppError('notFound', 'no such pod'));
      },
    } as unknown as KubeClient,
    hooks: {},
    record: { open, remove: () => Promise.reject(away) } as unknown as HookRecord,
    patience: () => ({ call: (request) => request() }),
    findings,
    ...{ onCurrent: () => undefined, onWaiting: () => undefined, onResumed: () => undefined },
  });
  await hooks.closeAll(new AbortController().signal);
  expect(asked).toEqual(['gone', 'next']);
  expect(findings.errors).toBe(2);
});

it('forgets a pod that was made anew without hooks', async () => {
  const open = [{ namespace: 'shop', name: 'db' }];
  const forgotten: unknown[] = [];
  const record = { open, has: () => true, remove: (pod: unknown) => Promise.resolve(forgotten.push(pod)) };
  const hooks = new PodHooks({
    kube: { get: () => Promise.resolve({ metadata: { name: 'db' }, spec: {} }) } as unknown as KubeClient,
    hooks: {},
    record: record as unknown as HookRecord,
    patience: () => ({ call: (request) => request() }),
    findings: new Findings(NO_LOG),
    ...{ onCurrent: () => undefined, onWaiting: () => undefined, onResumed: () => undefined },
  });
  await hooks.closeAll(new AbortController().signal);
  expect(forgotten).toEqual(open);
});
