import { isObject, textAt, textsAt, without, type Json, type JsonObject } from '../../../base/index.ts';
import {
  BOOL,
  BYTES,
  INT64,
  Int,
  Pointer,
  STRING,
  TEXTS,
  TEXT_MAP,
  bytes,
  decodeBase64,
  mapFrom,
  mapOf,
  pointerTo,
  struct,
  texts,
  timeOfKind,
  type Field,
  type Type,
  type Value,
} from '../template/index.ts';

/** Secrets and ConfigMaps as Go's Kubernetes client has them: with capital names, and data as bytes. */
const META_TIME = timeOfKind('v1.Time');
const optional = (name: string, type: Type): Field => ({
  name,
  type,
  json: name === 'UID' ? 'uid' : name.charAt(0).toLowerCase() + name.slice(1),
  omitsEmpty: true,
});

const TYPE_META: Type = {
  kind: 'struct',
  text: 'v1.TypeMeta',
  fields: [optional('Kind', STRING), { name: 'APIVersion', type: STRING, json: 'apiVersion', omitsEmpty: true }],
};
const OBJECT_META: Type = {
  kind: 'struct',
  text: 'v1.ObjectMeta',
  fields: [
    optional('Name', STRING),
    optional('GenerateName', STRING),
    optional('Namespace', STRING),
    optional('UID', STRING),
    optional('ResourceVersion', STRING),
    optional('Generation', INT64),
    optional('CreationTimestamp', META_TIME.type),
    optional('Labels', TEXT_MAP),
    optional('Annotations', TEXT_MAP),
    optional('Finalizers', TEXTS),
  ],
};
const HEAD: readonly Field[] = [
  { name: 'TypeMeta', type: TYPE_META, isEmbedded: true },
  { name: 'ObjectMeta', type: OBJECT_META, isEmbedded: true, json: 'metadata' },
];
const BYTES_MAP = mapOf(BYTES);

export const SECRET: Type = {
  kind: 'struct',
  text: 'v1.Secret',
  fields: [
    ...HEAD,
    optional('Immutable', pointerTo(BOOL)),
    optional('Data', BYTES_MAP),
    optional('StringData', TEXT_MAP),
    optional('Type', STRING),
  ],
};
export const CONFIG_MAP: Type = {
  kind: 'struct',
  text: 'v1.ConfigMap',
  fields: [
    ...HEAD,
    optional('Immutable', pointerTo(BOOL)),
    optional('Data', TEXT_MAP),
    optional('BinaryData', BYTES_MAP),
  ],
};

/** kubectl leaves a copy of everything here, data included. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

function metaOf(object: JsonObject, { isMasked = false } = {}): Value {
  const { metadata } = object;
  const meta = isObject(metadata) ? metadata : {};
  const { labels, annotations, generation, finalizers } = meta;
  return struct(OBJECT_META, {
    Name: textAt(meta, 'name') ?? '',
    GenerateName: textAt(meta, 'generateName') ?? '',
    Namespace: textAt(meta, 'namespace') ?? '',
    UID: textAt(meta, 'uid') ?? '',
    ResourceVersion: textAt(meta, 'resourceVersion') ?? '',
    Generation: new Int(INT64, typeof generation === 'number' ? BigInt(Math.trunc(generation)) : 0n),
    CreationTimestamp: META_TIME.from(textAt(meta, 'creationTimestamp')),
    ...(isObject(labels) && { Labels: textMap(textsAt(meta, 'labels')) }),
    ...(isObject(annotations) && {
      Annotations: textMap(textsAt(isMasked ? without(annotations, LAST_APPLIED) : annotations)),
    }),
    ...(Array.isArray(finalizers) && { Finalizers: texts(finalizers.filter((item) => typeof item === 'string')) }),
  });
}

const textMap = (source: Record<string, string>): Value => mapFrom(TEXT_MAP, source, (text) => text);

/** What stands in place of every secret value where nobody may see it. */
const MASK = bytes(Uint8Array.from('***', (letter) => letter.charCodeAt(0)));

function bytesMap(source: Json | undefined, isMasked: boolean): Value {
  if (!isObject(source)) return mapFrom(BYTES_MAP, undefined, () => null);
  return mapFrom(BYTES_MAP, source as Record<string, Json>, (content) =>
    isMasked ? MASK : bytes(fromBase64(content)),
  );
}

/** Kubernetes writes bytes in base64; what is none counts as empty. */
export function fromBase64(content: Json | undefined): Uint8Array {
  const decoded = typeof content === 'string' ? decodeBase64(content) : { problem: '' };
  return 'bytes' in decoded ? decoded.bytes : new Uint8Array();
}

function immutable(object: JsonObject): { Immutable?: Value } {
  const { immutable: flag } = object;
  return typeof flag === 'boolean' ? { Immutable: new Pointer(pointerTo(BOOL), flag) } : {};
}

export function secretValue(object: JsonObject, options: { isMasked: boolean }): Value {
  return struct(SECRET, {
    ObjectMeta: metaOf(object, options),
    ...immutable(object),
    Data: bytesMap(object['data'], options.isMasked),
    Type: textAt(object, 'type') ?? '',
  });
}

export function configMapValue(object: JsonObject): Value {
  return struct(CONFIG_MAP, {
    ObjectMeta: metaOf(object),
    ...immutable(object),
    ...(isObject(object['data']) && { Data: textMap(textsAt(object, 'data')) }),
    BinaryData: bytesMap(object['binaryData'], false),
  });
}
