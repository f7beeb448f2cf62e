import { objectsAt, textAt, type AppError, type Json } from '../../base/index.ts';
import type { FieldError } from '../../core/operations/index.ts';

const NAME = 'metadata.name';
const NAME_RULE = 'use lower-case letters, digits, "-" and ".", and begin and end with a letter or a digit';
const MAX_FIELDS = 100;

/** Which fields of what was sent are wrong, in words for the person who filled them in. */
export function fieldErrors({ code, details }: AppError): FieldError[] {
  if (code === 'alreadyExists') return [{ field: NAME, message: 'this name is taken already; choose another one' }];
  if (code !== 'invalid') return [];
  const { fields, problems, status } = (details ?? {}) as Readonly<Record<string, Json | undefined>>;
  const told = [
    ...objectsAt(fields).map((each) => fieldError(textAt(each, 'field'), textAt(each, 'message'))),
    ...texts(problems).map((text) => fieldError(...splitAt(text, ': '))),
    ...objectsAt(status, 'details', 'causes').map((each) => fieldError(textAt(each, 'field'), textAt(each, 'message'))),
  ];
  return told.filter((each) => each !== undefined).slice(0, MAX_FIELDS);
}

function fieldError(field: string | undefined, message: string | undefined): FieldError | undefined {
  if (field === undefined || message === undefined) return undefined;
  if (field === NAME && /RFC 1123|DNS/i.test(message)) return { field, message: NAME_RULE };
  // The form shows the value; what is wrong with it follows.
  return { field, message: message.replace(/^Invalid value: (?:"(?:[^"\\]|\\.)*"|\S+): /, '') };
}

function texts(value: Json | undefined): string[] {
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
}

function splitAt(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at < 0 ? ['', text] : [text.slice(0, at), text.slice(at + sign.length)];
}
