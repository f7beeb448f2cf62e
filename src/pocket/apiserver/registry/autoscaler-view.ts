import { isObject, objectAt, objectsAt, parseJson, stringifyJson, without } from '../../../base/index.ts';
import type { Json, JsonObject } from '../../../base/index.ts';
import type { ApiObject } from '../object/index.ts';
import { fromOldMetric, toOldMetric } from './autoscaler-metric.ts';
import type { View } from './event-view.ts';

const PREFIX = 'autoscaling.alpha.kubernetes.io/';
const METRICS = `${PREFIX}metrics`;
const BEHAVIOR = `${PREFIX}behavior`;
const CONDITIONS = `${PREFIX}conditions`;
const CURRENT = `${PREFIX}current-metrics`;

/**
 * `autoscaling/v1` of what is stored as `autoscaling/v2`. The old version knows one target, the CPU; whatever else the
 * new one says travels in annotations, so that nothing is lost when it is written back.
 */
export const AUTOSCALER_VIEW: View = {
  toServed(stored) {
    const { metrics: _metrics, behavior, ...spec } = objectAt(stored, 'spec');
    const { conditions, currentMetrics, ...status } = objectAt(stored, 'status');
    const metrics = objectsAt(stored, 'spec', 'metrics');
    const cpu = metrics.find(isCpu);
    const others = metrics.filter((metric) => !isCpu(metric)).map(toOldMetric);
    return {
      ...stored,
      apiVersion: 'autoscaling/v1',
      metadata: withNotes(stored.metadata, {
        [METRICS]: others,
        [BEHAVIOR]: behavior,
        [CONDITIONS]: conditions,
        [CURRENT]: currentMetrics,
      }),
      spec: { ...spec, ...(cpu === undefined ? {} : { targetCPUUtilizationPercentage: utilization(cpu) ?? null }) },
      status,
    };
  },
  toStored(served) {
    const { targetCPUUtilizationPercentage: percent, ...spec } = objectAt(served, 'spec');
    const { currentCPUUtilizationPercentage: _percent, ...status } = objectAt(served, 'status');
    const others = noteOf(served, METRICS);
    const metrics = [
      ...(Array.isArray(others) ? others.filter(isObject).map(fromOldMetric) : []),
      ...(typeof percent === 'number' ? [cpuMetric(percent)] : []),
    ];
    const behavior = noteOf(served, BEHAVIOR);
    const conditions = noteOf(served, CONDITIONS);
    const currentMetrics = noteOf(served, CURRENT);
    return {
      ...served,
      apiVersion: 'autoscaling/v2',
      metadata: withNotes(served.metadata, {}),
      spec: {
        ...spec,
        ...(metrics.length === 0 ? {} : { metrics }),
        ...(isObject(behavior) ? { behavior } : {}),
      },
      status: {
        ...status,
        ...(Array.isArray(conditions) ? { conditions } : {}),
        ...(Array.isArray(currentMetrics) ? { currentMetrics } : {}),
      },
    };
  },
};

function cpuMetric(averageUtilization: number): JsonObject {
  return { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } } };
}

function utilization(metric: JsonObject): Json | undefined {
  return objectAt(metric, 'resource', 'target')['averageUtilization'];
}

function isCpu(metric: JsonObject): boolean {
  return objectAt(metric, 'resource')['name'] === 'cpu' && typeof utilization(metric) === 'number';
}

/** What the annotation holds; one that is no JSON is as good as absent. */
function noteOf(object: ApiObject, key: string): Json | undefined {
  const text = object.metadata.annotations?.[key];
  if (text === undefined) return undefined;
  try {
    return parseJson(text) as Json;
  } catch {
    return undefined;
  }
}

/** The metadata with these annotations of the view and no others of it. */
function withNotes(
  metadata: ApiObject['metadata'],
  notes: Readonly<Record<string, Json | undefined>>,
): ApiObject['metadata'] {
  const written = Object.entries(notes).flatMap(([key, value]) =>
    value === undefined || value === null || (Array.isArray(value) && value.length === 0)
      ? []
      : [[key, stringifyJson(value)] as const],
  );
  const kept = without(metadata.annotations ?? {}, METRICS, BEHAVIOR, CONDITIONS, CURRENT);
  const annotations = { ...kept, ...Object.fromEntries(written) };
  const { annotations: _annotations, ...rest } = metadata;
  return { ...rest, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) } as ApiObject['metadata'];
}
