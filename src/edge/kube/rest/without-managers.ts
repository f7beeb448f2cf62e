import { isObject, parseJson, type JsonObject } from '../../../base/index.ts';

const BEGIN = '"managedFields":[{';
/** Entries are objects without lists, so the first one of these ends them, unless it is in a text. */
const END = '}]';
/** Stands alone for them, so that it can be seen that no others were cut out. */
const MARK = 0;

/**
 * The object with empty managedFields, which are half of many objects: they are cut out of the text before it is parsed.
 * Undefined if that could not be done, or was something else: then all of it has to be parsed. A cut that ends inside a
 * text leaves no JSON, because quotes and what is between them have changed places behind it.
 */
export function parseWithoutManagers(text: string): JsonObject | undefined {
  const begin = text.indexOf(BEGIN);
  const start = begin + BEGIN.length - 1;
  const end = text.indexOf(END, start);
  if (begin < 0 || end < 0) return undefined;
  try {
    const object = parseJson(`${text.slice(0, start)}${String(MARK)}${text.slice(end + 1)}`);
    return isObject(object) && isObject(object['metadata']) ? withoutMark(object, object['metadata']) : undefined;
  } catch {
    // Whoever parses all of it says what is wrong.
    return undefined;
  }
}

function withoutMark(object: JsonObject, metadata: JsonObject): JsonObject | undefined {
  const { managedFields } = metadata;
  if (!Array.isArray(managedFields) || managedFields[0] !== MARK) return undefined;
  return { ...object, metadata: { ...metadata, managedFields: [] } };
}
