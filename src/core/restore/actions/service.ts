import { isObject, objectAt, objectsAt, textAt, valueAt, type Json, type JsonObject } from '../../../base/index.ts';
import { annotationsOf, mapObjects, withValue } from '../fields.ts';
import { changed, type RestoreAction } from './action.ts';

const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** Drops addresses and ports that the old cluster assigned; those the user chose stay. */
export const serviceAction: RestoreAction = {
  name: 'velero.io/service',
  appliesTo: ['services'],
  execute({ item, itemFromBackup, restore }) {
    const service = withoutAddress(item);
    if (restore.spec.preserveNodePorts === true) return changed(service);
    const chosen = chosenPorts(itemFromBackup);
    return changed(withoutHealthPort(withoutNodePorts(service, chosen), chosen));
  },
};

function withoutAddress(service: JsonObject): JsonObject {
  if (textAt(service, 'spec', 'clusterIP') === 'None') return service;
  return withValue(withValue(service, ['spec', 'clusterIP'], undefined), ['spec', 'clusterIPs'], undefined);
}

interface ChosenPorts {
  isChosen(port: JsonObject): boolean;
  healthCheck: boolean;
}

function withoutNodePorts(service: JsonObject, chosen: ChosenPorts): JsonObject {
  if (textAt(service, 'spec', 'type') === 'ExternalName') return service;
  return mapObjects(service, ['spec', 'ports'], (port) =>
    chosen.isChosen(port) ? port : withValue(port, ['nodePort'], undefined),
  );
}

function withoutHealthPort(service: JsonObject, chosen: ChosenPorts): JsonObject {
  const isUsed =
    textAt(service, 'spec', 'type') === 'LoadBalancer' && textAt(service, 'spec', 'externalTrafficPolicy') === 'Local';
  return isUsed && !chosen.healthCheck ? withValue(service, ['spec', 'healthCheckNodePort'], undefined) : service;
}

/** What the user chose is known from what kubectl applied, or else from the fields that a manager set. */
function chosenPorts(service: JsonObject): ChosenPorts {
  const applied = lastApplied(service);
  const managed = objectsAt(service, 'metadata', 'managedFields').map((entry) => objectAt(entry, 'fieldsV1'));
  const healthCheck =
    isPort(valueAt(applied, 'spec', 'healthCheckNodePort')) ||
    managed.some((fields) => valueAt(fields, 'f:spec', 'f:healthCheckNodePort') !== undefined);
  if (applied === undefined) {
    const keys = new Set(managed.flatMap((fields) => managedPorts(fields)));
    return { healthCheck, isChosen: (port) => keys.has(managedKey(port)) };
  }
  const ports = objectsAt(applied, 'spec', 'ports').filter((port) => isPort(port.nodePort));
  const names = new Set(ports.map((port) => textAt(port, 'name')).filter((name) => name !== undefined));
  const unnamed = new Set(
    ports.filter((port) => textAt(port, 'name') === undefined).map((port) => Number(port.nodePort)),
  );
  return {
    healthCheck,
    isChosen(port) {
      const name = textAt(port, 'name');
      return name === undefined ? unnamed.has(Number(port.nodePort)) : names.has(name);
    },
  };
}

/** An annotation that cannot be parsed is ignored; one bad annotation is no reason to lose the service. */
function lastApplied(service: JsonObject): JsonObject | undefined {
  const text = annotationsOf(service)[LAST_APPLIED];
  if (text === undefined) return undefined;
  try {
    const applied: unknown = JSON.parse(text);
    return isObject(applied) ? applied : undefined;
  } catch {
    return undefined;
  }
}

function isPort(value: Json | undefined): boolean {
  return (typeof value === 'number' || typeof value === 'string') && Number(value) > 0;
}

function managedPorts(fields: JsonObject): string[] {
  const ports = Object.entries(objectAt(fields, 'f:spec', 'f:ports'));
  return ports.filter(([, port]) => isObject(port) && Object.hasOwn(port, 'f:nodePort')).map(([key]) => key);
}

function managedKey(port: JsonObject): string {
  return `k:{"port":${Number(valueAt(port, 'port'))},"protocol":"${textAt(port, 'protocol') ?? 'TCP'}"}`;
}
