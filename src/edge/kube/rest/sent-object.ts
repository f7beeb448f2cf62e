import { isObject, own, textsAt, type Json } from '../../../base/index.ts';
import type { KubeObject } from '../port.ts';

type Value = Json | undefined;

/**
 * Whether an object that was read back can be the one that was sent. The server adds fields (defaults, uid,
 * managedFields) but removes none, so everything sent must be there; many kinds drop `status`, so it proves nothing.
 */
export function holdsWhatWasSent(sent: KubeObject, found: KubeObject): boolean {
  const { labels, annotations, ownerReferences, finalizers } = sent.metadata;
  return (
    contains(found.metadata, { labels, annotations, ownerReferences, finalizers }) &&
    Object.entries(sent).every(([key, value]) => {
      if (key === 'metadata' || key === 'status') return true;
      // A Secret's stringData is write-only and comes back as base64 in data.
      return key === 'stringData' ? contains(found['data'], toBase64(value)) : contains(found[key], value);
    })
  );
}

function contains(found: Value, sent: Value): boolean {
  // Go omits empty values when it writes JSON.
  if (found === undefined) return isEmpty(sent);
  if (Array.isArray(sent)) {
    return (
      Array.isArray(found) && found.length === sent.length && sent.every((item, index) => contains(found[index], item))
    );
  }
  if (!isObject(sent)) return sent === undefined || sent === null || sent === found;
  return isObject(found) && Object.entries(sent).every(([key, value]) => contains(own(found, key), value));
}

function isEmpty(value: Value): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '' || value === 0 || value === false;
}

function toBase64(stringData: Value): Value {
  const texts = Object.entries(textsAt(stringData));
  return Object.fromEntries(texts.map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
}
