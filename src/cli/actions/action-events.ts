import { EVENT } from '../../api/meta/builtin-types.ts';
import { textAt } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { Scope } from './open-cluster.ts';

const MAX_EVENTS = 1000;

/** What the cluster still knows of a set, oldest first: `12:00:05  Warning  ActionSetFailed  …` */
export async function actionEvents(
  { kube, deps }: Scope,
  { metadata }: KubeObject,
  phase: string | undefined,
): Promise<string[]> {
  const { namespace = '', name, uid } = metadata;
  const fieldSelector = `involvedObject.kind=ActionSet,involvedObject.name=${name}`;
  const found: KubeObject[] = [];
  for await (const { items } of kube.list({ type: EVENT, namespace }, { fieldSelector, signal: deps.signal })) {
    // Not of an earlier one with the same name.
    for (const event of items) if (textAt(event, 'involvedObject', 'uid') === uid) found.push(event);
    if (found.length >= MAX_EVENTS) break;
  }
  const isMeant = (event: KubeObject): boolean =>
    phase === undefined || (textAt(event, 'message') ?? '').split(/[^\w-]+/).includes(phase);
  return found
    .filter(isMeant)
    .toSorted((a, b) => timeOf(a).localeCompare(timeOf(b)))
    .map((event) => {
      const [type, reason, message] = ['type', 'reason', 'message'].map((field) => textAt(event, field) ?? '');
      return [timeOf(event).slice(11, 19), (type ?? '').padEnd(7), reason, message].join('  ');
    });
}

function timeOf(event: KubeObject): string {
  return textAt(event, 'lastTimestamp') ?? textAt(event, 'eventTime') ?? textAt(event, 'firstTimestamp') ?? '';
}
