import { setOwn, type JsonObject } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';

/** Another shape of the same stored object. */
export interface View {
  toServed(stored: Readonly<ApiObject>): ApiObject;
  toStored(served: ApiObject): ApiObject;
}

const TO_SERVED: ReadonlyMap<string, string> = new Map([
  ['involvedObject', 'regarding'],
  ['message', 'note'],
  ['source', 'deprecatedSource'],
  ['firstTimestamp', 'deprecatedFirstTimestamp'],
  ['lastTimestamp', 'deprecatedLastTimestamp'],
  ['count', 'deprecatedCount'],
  ['reportingComponent', 'reportingController'],
]);
const TO_STORED: ReadonlyMap<string, string> = new Map([...TO_SERVED].map(([stored, served]) => [served, stored]));

/** Events are one store with two views: `v1` as stored, and `events.k8s.io/v1` with other field names. */
export const EVENTS_VIEW: View = {
  toServed: (stored) => rename(stored, 'events.k8s.io/v1', TO_SERVED),
  toStored: (served) => rename(served, 'v1', TO_STORED),
};

function rename(object: Readonly<ApiObject>, apiVersion: string, names: ReadonlyMap<string, string>): ApiObject {
  const renamed: JsonObject = {};
  for (const [key, value = null] of Object.entries(object)) setOwn(renamed, names.get(key) ?? key, value);
  return { ...renamed, kind: object.kind, apiVersion, metadata: object.metadata };
}
