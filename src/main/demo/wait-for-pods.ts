import { POD } from '../../api/index.ts';
import { AppError, NO_LOG, type Clock } from '../../base/index.ts';
import { Reflector } from '../../control/runtime/index.ts';
import { exact, feed, newMeter, takeReport, type Report } from '../../core/progress/index.ts';
import type { Kube, KubeObject } from '../../edge/kube/index.ts';

interface Options {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  onReport(report: Report): void;
  /** Only these; all if absent. */
  where?: { namespace: string; labelSelector?: string };
}

const LIMIT_MS = 120_000;

/** Watches until as many pods as expected are ready. */
export async function waitForPods(expected: number, options: Options): Promise<Report> {
  const { kube, clock, where } = options;
  options.signal.throwIfAborted();
  const stop = new AbortController();
  const { namespace, ...selection } = where ?? {};
  const target = { type: POD, ...(namespace === undefined ? {} : { namespace }) };
  const reflector = new Reflector({ target, ...selection }, { kube, clock, random: Math.random, log: NO_LOG });
  const running = reflector.run(AbortSignal.any([options.signal, stop.signal]));
  let meter = feed(newMeter(clock.now()), { kind: 'start' }, clock.now());
  const show = (): Report => {
    const taken = takeReport(meter, clock.now());
    meter = taken.meter;
    options.onReport(taken.report);
    return taken.report;
  };
  try {
    await new Promise<void>((resolve, reject) => {
      const look = (changed?: KubeObject): void => {
        const done = Math.min(expected, [...reflector.cache.values()].filter(isReady).length);
        meter = feed(meter, { kind: 'measure', unit: 'items', done, total: exact(expected) }, clock.now());
        const { namespace: place = '', name } = changed?.metadata ?? {};
        if (name !== undefined) meter = feed(meter, { kind: 'current', current: `${place}/pods/${name}` }, clock.now());
        show();
        if (done === expected) resolve();
      };
      reflector.cache.subscribe((change) => {
        look(change.object);
      });
      const end = AbortSignal.any([options.signal, AbortSignal.timeout(LIMIT_MS)]);
      end.addEventListener('abort', () => {
        const late = new AppError('timeout', `not all of ${String(expected)} pods became ready in 2 minutes`);
        reject(options.signal.aborted ? (options.signal.reason as Error) : late);
      });
      look();
    });
  } finally {
    stop.abort();
    await running;
  }
  meter = feed(meter, { kind: 'end', state: 'completed' }, clock.now());
  return show();
}

function isReady(pod: KubeObject): boolean {
  const { conditions = [] } = (pod['status'] ?? {}) as { conditions?: { type: string; status: string }[] };
  return conditions.some((condition) => condition.type === 'Ready' && condition.status === 'True');
}
