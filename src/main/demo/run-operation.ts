import { AppError, NO_LOG, type Clock } from '../../base/index.ts';
import { Reflector } from '../../control/runtime/index.ts';
import { readOperation, type Adapter, type Operation } from '../../core/operations/index.ts';
import { isTerminal, type Report } from '../../core/progress/index.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';

interface Options {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  onReport(report: Report): void;
}

const LIMIT_MS = 300_000;

/** Creates the custom resource and follows it to its end, as `headway … create --wait` would. */
export async function runOperation(adapter: Adapter, object: KubeObject, options: Options): Promise<Operation> {
  const { kube, clock, signal } = options;
  const { name, namespace = '' } = object.metadata;
  const target = { type: adapter.type, namespace };
  await kube.create(target, object, { signal });
  const stop = new AbortController();
  const end = AbortSignal.any([signal, AbortSignal.timeout(LIMIT_MS), stop.signal]);
  const deps = { kube, clock, random: Math.random, log: NO_LOG };
  const reflector = new Reflector({ target, fieldSelector: `metadata.name=${name}` }, deps);
  const { promise, resolve, reject } = Promise.withResolvers<Operation>();
  reflector.cache.subscribe((change) => {
    const operation = readOperation(adapter, change.object, { cluster: '', now: clock.now() });
    options.onReport(operation.report);
    if (isTerminal(operation.report.state)) resolve(operation);
  });
  end.addEventListener('abort', () => {
    const late = new AppError('timeout', `${adapter.type.kind} ${name} did not end in ${LIMIT_MS / 1000} s`);
    reject(signal.aborted ? (signal.reason as Error) : late);
  });
  const watching = reflector.run(end);
  try {
    return await promise;
  } finally {
    stop.abort();
    await watching;
  }
}

/** Nothing after it would make sense. */
export function mustComplete(operation: Operation): Operation {
  if (operation.report.state === 'completed') return operation;
  const problems = operation.problems.map(({ text }) => `\n  ${text}`).join('');
  throw new AppError('bug', `${operation.ref.kind} ${operation.ref.name} ended ${operation.phase}${problems}`);
}
