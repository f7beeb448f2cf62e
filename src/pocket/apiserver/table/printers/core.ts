import { objectAt, valueAt } from '../../../../base/index.ts';
import { numberAt, scalarTextAt, type ApiObject } from '../../object/index.ts';
import { age } from '../age.ts';
import { AGE, integer, NAME, text, wide, type Column } from '../column.ts';
import { sizeOf } from './cells.ts';

export const CORE_COLUMNS: Readonly<Record<string, readonly Column[]>> = {
  configmaps: [
    NAME,
    { ...integer('Data', (object) => sizeOf(object, 'data') + sizeOf(object, 'binaryData')), type: 'string' },
    AGE,
  ],
  secrets: [
    NAME,
    text('Type', (object) => scalarTextAt(object, 'type')),
    { ...integer('Data', (object) => sizeOf(object, 'data')), type: 'string' },
    AGE,
  ],
  namespaces: [NAME, text('Status', (object) => scalarTextAt(object, 'status', 'phase')), AGE],
  events: [
    text('Last Seen', lastSeen),
    text('Type', (event) => scalarTextAt(event, 'type')),
    text('Reason', (event) => scalarTextAt(event, 'reason')),
    text('Object', target),
    wide(text('Subobject', (event) => scalarTextAt(event, 'involvedObject', 'fieldPath'))),
    wide(text('Source', source)),
    text('Message', (event) => scalarTextAt(event, 'message').trim()),
    wide(text('First Seen', firstSeen)),
    wide({ ...integer('Count', eventCount), type: 'string' }),
    wide(NAME),
  ],
  resourcequotas: [
    NAME,
    text('Request', (quota) => quotas(quota, false)),
    text('Limit', (quota) => quotas(quota, true)),
    AGE,
  ],
};

type Event = Readonly<ApiObject>;

function firstSeen(event: Event, now: number): string {
  return age(scalarTextAt(event, 'firstTimestamp') || scalarTextAt(event, 'eventTime'), now);
}

function lastSeen(event: Event, now: number): string {
  const last = scalarTextAt(event, 'series', 'lastObservedTime') || scalarTextAt(event, 'lastTimestamp');
  return last === '' ? firstSeen(event, now) : age(last, now);
}

function eventCount(event: Event): number {
  const series = valueAt(event, 'series', 'count');
  if (typeof series === 'number') return series;
  return numberAt(event, 'count') || 1;
}

function target(event: Event): string {
  const kind = scalarTextAt(event, 'involvedObject', 'kind').toLowerCase();
  const name = scalarTextAt(event, 'involvedObject', 'name');
  return name === '' ? kind : `${kind}/${name}`;
}

function source(event: Event): string {
  const component = scalarTextAt(event, 'source', 'component') || scalarTextAt(event, 'reportingComponent');
  const host = scalarTextAt(event, 'source', 'host') || scalarTextAt(event, 'reportingInstance');
  return host === '' ? component : `${component}, ${host}`;
}

function quotas(quota: Readonly<ApiObject>, isLimits: boolean): string {
  const hard = objectAt(quota, 'status', 'hard');
  return Object.keys(hard)
    .filter((resource) => resource.startsWith('limits.') === isLimits)
    .sort()
    .map(
      (resource) =>
        `${resource}: ${scalarTextAt(quota, 'status', 'used', resource) || '0'}/${scalarTextAt(hard, resource)}`,
    )
    .join(', ');
}
