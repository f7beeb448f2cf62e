import { isObject, type Json, type JsonObject } from '../../../base/index.ts';
import { forbidden, invalid, required, type FieldError } from '../field-error.ts';
import { nonNegative, portNumber } from './rule.ts';

const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];
const COUNTS = ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'successThreshold', 'failureThreshold'];

/** A probe or hook does one thing. */
function validateHandler(handler: JsonObject, field: string, known: readonly string[]): FieldError[] {
  const given = known.filter((key) => isObject(handler[key]));
  if (given.length === 0) return [required(field, 'must specify a handler type')];
  return given.flatMap((key, index) => {
    if (index > 0) return [forbidden(`${field}.${key}`, 'may not specify more than 1 handler type')];
    const action = handler[key];
    if (key === 'exec') {
      const hasCommand = isObject(action) && Array.isArray(action['command']) && action['command'].length > 0;
      return hasCommand ? [] : [required(`${field}.exec.command`)];
    }
    const port = isObject(action) ? action['port'] : undefined;
    return typeof port === 'string' ? [] : portNumber(port, `${field}.${key}.port`);
  });
}

function validateProbe(probe: Json | undefined, field: string): FieldError[] {
  if (!isObject(probe)) return [];
  return [
    ...validateHandler(probe, field, HANDLERS),
    ...COUNTS.flatMap((key) => nonNegative(probe[key], `${field}.${key}`)),
  ];
}

/** Only readiness may ask for several successes in a row. */
function onlyOnce(probe: Json | undefined, field: string): FieldError[] {
  const threshold = isObject(probe) ? probe['successThreshold'] : undefined;
  return typeof threshold === 'number' && threshold !== 1
    ? [invalid(`${field}.successThreshold`, threshold, 'must be 1')]
    : [];
}

function validateHook(hook: Json | undefined, field: string): FieldError[] {
  return isObject(hook) ? validateHandler(hook, field, ['exec', 'httpGet', 'tcpSocket', 'sleep']) : [];
}

export function validateProbes(container: JsonObject, field: string): FieldError[] {
  const lifecycle = isObject(container['lifecycle']) ? container['lifecycle'] : {};
  const { livenessProbe, readinessProbe, startupProbe } = container;
  return [
    ...['postStart', 'preStop'].flatMap((key) => validateHook(lifecycle[key], `${field}.lifecycle.${key}`)),
    ...validateProbe(livenessProbe, `${field}.livenessProbe`),
    ...onlyOnce(livenessProbe, `${field}.livenessProbe`),
    ...validateProbe(readinessProbe, `${field}.readinessProbe`),
    ...validateProbe(startupProbe, `${field}.startupProbe`),
    ...onlyOnce(startupProbe, `${field}.startupProbe`),
  ];
}
