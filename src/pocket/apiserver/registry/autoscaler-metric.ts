import { objectAt, type Json, type JsonObject } from '../../../base/index.ts';

/** Only the fields that are there. */
function given(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const result: JsonObject = {};
  for (const [key, value] of Object.entries(fields)) if (value !== undefined) result[key] = value;
  return result;
}

type Change = (source: JsonObject) => JsonObject;

const resourceToOld: Change = (source) => {
  const target = objectAt(source, 'target');
  return given({
    name: source['name'],
    targetAverageUtilization: target['averageUtilization'],
    targetAverageValue: target['averageValue'],
    container: source['container'],
  });
};

const resourceFromOld: Change = (source) => {
  const percent = source['targetAverageUtilization'];
  const target = given({
    type: percent === undefined ? 'AverageValue' : 'Utilization',
    averageUtilization: percent,
    averageValue: source['targetAverageValue'],
  });
  return given({ name: source['name'], target, container: source['container'] });
};

/** Go writes a zero for the values of these two that are not set. */
const ZERO = '0';

const TO_OLD: Readonly<Record<string, Change>> = {
  resource: resourceToOld,
  containerResource: resourceToOld,
  pods: (source) => {
    const { name, selector } = objectAt(source, 'metric');
    return given({ metricName: name, targetAverageValue: objectAt(source, 'target')['averageValue'], selector });
  },
  object: (source) => {
    const { name, selector } = objectAt(source, 'metric');
    const { value = ZERO, averageValue } = objectAt(source, 'target');
    return given({ target: source['describedObject'], metricName: name, targetValue: value, selector, averageValue });
  },
  external: (source) => {
    const { name, selector } = objectAt(source, 'metric');
    const { value, averageValue } = objectAt(source, 'target');
    return given({ metricName: name, metricSelector: selector, targetValue: value, targetAverageValue: averageValue });
  },
};

function valueTarget(value: Json | undefined, averageValue: Json | undefined): JsonObject {
  return averageValue === undefined ? given({ type: 'Value', value }) : { type: 'AverageValue', averageValue };
}

const FROM_OLD: Readonly<Record<string, Change>> = {
  resource: resourceFromOld,
  containerResource: resourceFromOld,
  pods: (source) => ({
    metric: given({ name: source['metricName'], selector: source['selector'] }),
    target: valueTarget(undefined, source['targetAverageValue'] ?? ZERO),
  }),
  object: (source) => ({
    describedObject: source['target'] ?? {},
    metric: given({ name: source['metricName'], selector: source['selector'] }),
    target: valueTarget(source['targetValue'], source['averageValue']),
  }),
  external: (source) => ({
    metric: given({ name: source['metricName'], selector: source['metricSelector'] }),
    target: valueTarget(source['targetValue'], source['targetAverageValue']),
  }),
};

function changed(metric: JsonObject, changes: Readonly<Record<string, Change>>): JsonObject {
  const sources = Object.entries(changes).flatMap(([key, change]) =>
    metric[key] === undefined ? [] : [[key, change(objectAt(metric, key))] as const],
  );
  return { type: metric['type'] ?? '', ...Object.fromEntries(sources) };
}

/** A metric as the annotation of `autoscaling/v1` holds it: the target's fields stand beside the name. */
export function toOldMetric(metric: JsonObject): JsonObject {
  return changed(metric, TO_OLD);
}

export function fromOldMetric(metric: JsonObject): JsonObject {
  return changed(metric, FROM_OLD);
}
