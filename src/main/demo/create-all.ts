import { isAppError, type Clock } from '../../base/index.ts';
import { exact, feed, newMeter, takeReport, type Counts, type Report } from '../../core/progress/index.ts';
import type { Kube } from '../../edge/kube/index.ts';
import type { SampleItem } from './sample-application.ts';

const CONCURRENCY = 16;

interface Options {
  kube: Kube;
  clock: Clock;
  signal: AbortSignal;
  onReport(report: Report): void;
}

/** Creates the items with bounded parallelism; one that exists already counts as skipped, so a second start works. */
export async function createAll(items: readonly SampleItem[], options: Options): Promise<Report> {
  const { kube, clock, signal } = options;
  let meter = feed(newMeter(clock.now()), { kind: 'start' }, clock.now());
  const counts: Counts = { created: 0, updated: 0, skipped: 0, failed: 0 };
  const total = exact(items.length);
  const show = (): Report => {
    const taken = takeReport(meter, clock.now());
    meter = taken.meter;
    options.onReport(taken.report);
    return taken.report;
  };
  const createOne = async ({ type, object }: SampleItem): Promise<void> => {
    const { namespace, name } = object.metadata;
    // As the engines name an item.
    const current = `${type.plural} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
    const made = await created(kube, { type, object }, signal);
    counts[made ? 'created' : 'skipped'] += 1;
    meter = feed(meter, { kind: 'current', current }, clock.now());
    const done = counts.created + counts.skipped;
    meter = feed(meter, { kind: 'measure', unit: 'items', done, total, counts: { ...counts } }, clock.now());
    show();
  };
  // Namespaces first: whatever follows is refused until its namespace is there.
  const [first, rest] = [items.filter((item) => !item.type.namespaced), items.filter((item) => item.type.namespaced)];
  for (const tier of [first, rest]) await inParallel(tier, createOne);
  meter = feed(meter, { kind: 'end', state: 'completed' }, clock.now());
  return show();
}

async function created(kube: Kube, { type, object }: SampleItem, signal: AbortSignal): Promise<boolean> {
  const { namespace } = object.metadata;
  try {
    await kube.create(namespace === undefined ? { type } : { type, namespace }, object, { signal });
    return true;
  } catch (error) {
    if (isAppError(error, 'alreadyExists')) return false;
    throw error;
  }
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async (): Promise<void> => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
}
