import { EVENT } from '../../api/index.ts';
import { messageOf, objectAt, textAt, type Clock, type JsonObject } from '../../base/index.ts';
import type { KubeClient, KubeObject } from '../../edge/kube/index.ts';
import { setLine } from './log-line.ts';
import { printedLine, PrintedLines } from './printed-lines.ts';

const MAX_EVENTS = 1000;
const DEADLINE_MS = 10_000;

export interface LeftDeps {
  /** The caller's own. */
  kube: KubeClient;
  clock: Clock;
  signal: AbortSignal;
  /** The end of the log of its operation, where this process has it. */
  kept: Buffer | undefined;
}

/**
 * What is left of the log of a set that has ended: the last lines that its programs printed, if this process has run it,
 * and its events, for as long as the cluster keeps them.
 */
export async function* leftOfLog(set: KubeObject, { kube, clock, signal, kept }: LeftDeps): AsyncGenerator<string> {
  let count = 0;
  if (kept !== undefined) {
    for await (const line of new PrintedLines(kube).read(kept)) {
      count += 1;
      yield printedLine(line);
    }
  }
  const left = 'the action set has ended: its pods are removed, and their logs with them.';
  const what = count > 0 ? 'The last lines are above, its events below' : 'Its events are left';
  yield setLine(clock.now(), 'info', `${left} ${what}`, {});
  try {
    for (const event of await eventsOf(set, kube, signal)) {
      const level = textAt(event, 'type') === 'Warning' ? 'warning' : 'info';
      const reason = textAt(event, 'reason');
      yield setLine(timeOf(event), level, textAt(event, 'message') ?? reason ?? '', { reason });
    }
  } catch (error) {
    signal.throwIfAborted();
    yield setLine(clock.now(), 'warning', `its events cannot be read: ${messageOf(error)}`, {});
  }
}

async function eventsOf({ metadata }: KubeObject, kube: KubeClient, signal: AbortSignal): Promise<JsonObject[]> {
  const { namespace = '', name, uid } = metadata;
  const found: JsonObject[] = [];
  const options = {
    fieldSelector: `involvedObject.kind=ActionSet,involvedObject.name=${name}`,
    signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
  };
  for await (const { items } of kube.list({ type: EVENT, namespace }, options)) {
    // Not of an earlier one with the same name.
    for (const event of items) if (textAt(objectAt(event, 'involvedObject'), 'uid') === uid) found.push(event);
    if (found.length >= MAX_EVENTS) break;
  }
  return found.toSorted((a, b) => timeOf(a) - timeOf(b)).slice(0, MAX_EVENTS);
}

function timeOf(event: JsonObject): number {
  const told = textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime') ?? textAt(event, 'firstTimestamp');
  const at = Date.parse(told ?? '');
  return Number.isNaN(at) ? 0 : at;
}
