import { stringifyJson, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { Output } from '../ports.ts';

export type StructuredFormat = 'json' | 'yaml' | 'name';

export function isStructured(format: string | undefined): format is StructuredFormat {
  return format === 'json' || format === 'yaml' || format === 'name';
}

/** As kubectl prints: one object as itself, several as a List. */
export async function printObjects(
  output: Output,
  objects: readonly KubeObject[],
  { format, isSingle }: { format: StructuredFormat; isSingle: boolean },
): Promise<void> {
  if (format === 'name') {
    for (const object of objects) output.out(`${resourceName(object)}\n`);
    return;
  }
  const [first] = objects;
  const document =
    isSingle && first !== undefined ? first : { apiVersion: 'v1', kind: 'List', items: [...objects], metadata: {} };
  await printDocument(output, document, format);
}

export async function printDocument(output: Output, document: unknown, format: 'json' | 'yaml'): Promise<void> {
  if (format === 'json') output.out(`${stringifyJson(document, 2)}\n`);
  // Long texts stay on one line, as kubectl writes them, so that they can be searched.
  else output.out((await import('yaml')).stringify(withoutUndefined(document), { lineWidth: 0 }));
}

/** `backup.velero.io/nightly`, which kubectl takes back as an argument. */
function resourceName(object: KubeObject): string {
  const group = object.apiVersion.includes('/') ? `.${object.apiVersion.split('/')[0] ?? ''}` : '';
  return `${object.kind.toLowerCase()}${group}/${object.metadata.name}`;
}

/** JSON leaves them out by itself; YAML would write nulls. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as JsonObject).filter(([, field]) => field !== undefined);
  return Object.fromEntries(entries.map(([key, field]) => [key, withoutUndefined(field)]));
}
