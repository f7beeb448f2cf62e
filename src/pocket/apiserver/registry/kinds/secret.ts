import { isObject, objectAt, setOwn } from '../../../../base/index.ts';
import type { ApiObject } from '../../object/index.ts';
import type { KindRules } from './kind-rules.ts';

/** `stringData` is only for writing: it becomes `data`. */
export const secretRules: KindRules = {
  create(object) {
    return encodeStringData(object);
  },
  update(object) {
    return encodeStringData(object);
  },
};

function encodeStringData(object: ApiObject): [] {
  const plain = object['stringData'];
  if (plain === undefined) return [];
  Reflect.deleteProperty(object, 'stringData');
  if (!isObject(plain)) return [];
  const data = { ...objectAt(object, 'data') };
  for (const [key, value] of Object.entries(plain)) {
    setOwn(data, key, Buffer.from(typeof value === 'string' ? value : '').toString('base64'));
  }
  object['data'] = data;
  return [];
}
