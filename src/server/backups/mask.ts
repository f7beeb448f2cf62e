import { isObject, own, parseJson, stringifyJson, type Json, type JsonObject } from '../../base/index.ts';

const MASK = '********';
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

export interface Masked {
  object: JsonObject;
  isMasked: boolean;
}

/** The object with every value of a Secret replaced, also where kubectl has kept a copy of it. Keys stay. */
export function maskSecrets(object: JsonObject): Masked {
  if (object['kind'] !== 'Secret' && object['kind'] !== 'SecretList') return { object, isMasked: false };
  const items = object['items'];
  const masked: JsonObject = {
    ...object,
    ...maskedFields(object),
    ...(Array.isArray(items) ? { items: items.map((item) => (isObject(item) ? maskSecret(item) : item)) } : {}),
  };
  return { object: maskCopies(masked), isMasked: true };
}

function maskSecret(object: JsonObject): JsonObject {
  return maskCopies({ ...object, ...maskedFields(object) });
}

function maskedFields(object: JsonObject): JsonObject {
  const fields = ['data', 'stringData'].flatMap((name) => {
    const values = own(object, name);
    // What is no map is nothing we know how to read, so all of it goes.
    return values === undefined ? [] : [[name, isObject(values) ? maskValues(values) : MASK] as const];
  });
  return Object.fromEntries(fields);
}

function maskValues(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.keys(values).map((key) => [key, MASK]));
}

function maskCopies(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  if (!isObject(metadata) || !isObject(annotations)) return object;
  const copy = own(annotations, LAST_APPLIED);
  if (copy === undefined) return object;
  const masked = { ...annotations, [LAST_APPLIED]: maskCopy(copy) };
  return { ...object, metadata: { ...metadata, annotations: masked } };
}

function maskCopy(copy: Json): string {
  try {
    const parsed = typeof copy === 'string' ? parseJson(copy) : undefined;
    return isObject(parsed) ? stringifyJson({ ...parsed, ...maskedFields(parsed) }) : MASK;
  } catch {
    // What cannot be read cannot be masked in part.
    return MASK;
  }
}
