import type { ReactElement } from 'react';
import {
  isObjectName,
  namespaceNameProblem,
  objectsAt,
  textAt,
  type AppError,
  type Json,
} from '../../../src/base/index.ts';
import { ErrorNotice, sentence } from '../show/notice.tsx';

/** By path, such as `metadata.name`: what the server says about the fields of a form. */
export function fieldErrors(error: AppError | undefined): ReadonlyMap<string, string> {
  const fields = objectsAt(error?.details?.['fields'] as Json | undefined);
  return new Map(fields.map((each) => [textAt(each, 'field') ?? '', sentence(textAt(each, 'message') ?? '')]));
}

/** What no field of the form can show. */
export function FormError({
  error,
  fields,
}: {
  error: AppError | undefined;
  /** Those that the form shows errors at. */
  fields: readonly string[];
}): ReactElement | null {
  if (error === undefined) return null;
  const told = [...fieldErrors(error).keys()];
  return told.length > 0 && told.every((field) => fields.includes(field)) ? null : <ErrorNotice error={error} />;
}

/** Said while it is typed, before the cluster refuses it. */
export function nameProblem(name: string): string | undefined {
  if (name === '' || isObjectName(name)) return undefined;
  if (name.length > 253) return 'A name has at most 253 characters.';
  return 'Use lower-case letters, digits, “-” and “.”, and begin and end with a letter or a digit.';
}

/** An empty one keeps the name that it had. */
export function namespaceProblem(name: string): string | undefined {
  return name === '' ? undefined : namespaceNameProblem(name);
}
