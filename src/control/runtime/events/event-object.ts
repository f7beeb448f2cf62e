import { createHash } from 'node:crypto';
import { cleanText, type ObjectRef } from '../../../base/index.ts';
import type { KubeObject } from '../../../edge/kube/port.ts';

/**
 * Core v1 rather than events.k8s.io/v1: both are views of one store, but every client shows v1's `count` and looks
 * events up by v1's `involvedObject`, and the newer group refuses events without an action and a series.
 */

export interface EventInput {
  type: 'Normal' | 'Warning';
  /** One word in UpperCamelCase. */
  reason: string;
  message: string;
  about: ObjectRef;
}

const MESSAGE_LIMIT = 1024;
const NAME_LIMIT = 200;

/** The same for the same message about the same object, in every process, so that repetitions can be counted. */
export function eventName(input: EventInput): string {
  const { about } = input;
  const said = [
    about.apiVersion,
    about.kind,
    about.uid ?? '',
    input.type,
    input.reason,
    cleanText(input.message, MESSAGE_LIMIT),
  ];
  const hash = createHash('sha256').update(JSON.stringify(said)).digest('hex').slice(0, 16);
  // A name that ends in a dash or a dot after the cut would be refused.
  return `${about.name.slice(0, NAME_LIMIT).replace(/[^a-z0-9]+$/, '')}.${hash}`;
}

/** Events about cluster-scoped objects go into `default`, where kubectl looks for them. */
export function eventNamespace(input: EventInput): string {
  return input.about.namespace ?? 'default';
}

export function newEvent(input: EventInput, component: string, count: number, now: number): KubeObject {
  const time = eventTime(now);
  const namespace = eventNamespace(input);
  return {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { namespace, name: eventName(input) },
    type: input.type,
    reason: input.reason,
    message: cleanText(input.message, MESSAGE_LIMIT),
    involvedObject: { ...input.about },
    source: { component },
    reportingComponent: component,
    firstTimestamp: time,
    lastTimestamp: time,
    count,
  };
}

/** Whole seconds, as metav1.Time. */
export function eventTime(now: number): string {
  return new Date(now).toISOString().replace(/\.\d+Z$/, 'Z');
}
