import { escapeHidden, hasHidden, stringifyJson, type JsonObject } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import type { Printer } from './printer.ts';

export type StructuredFormat = 'json' | 'yaml' | 'name';

export function isStructured(format: string | undefined): format is StructuredFormat {
  return format === 'json' || format === 'yaml' || format === 'name';
}

/** As kubectl prints: one object as itself, several as a List. */
export async function printObjects(
  output: Printer,
  objects: readonly KubeObject[],
  { format, isSingle }: { format: StructuredFormat; isSingle: boolean },
): Promise<void> {
  if (format === 'name') {
    for (const object of objects) output.line(resourceName(object));
    return;
  }
  const [first] = objects;
  const document =
    isSingle && first !== undefined ? first : { apiVersion: 'v1', kind: 'List', items: [...objects], metadata: {} };
  await printDocument(output, document, format);
}

export async function printDocument(output: Printer, document: unknown, format: 'json' | 'yaml'): Promise<void> {
  if (format === 'json') printJson(output, document, 2);
  else output.text(await yamlText(document));
}

export function printJson(output: Printer, document: unknown, space?: number): void {
  output.text(`${escapeHidden(stringifyJson(document, space))}\n`);
}

async function yamlText(document: unknown): Promise<string> {
  const { Document, visit } = await import('yaml');
  const tree = new Document(withoutUndefined(document));
  visit(tree, {
    // Only double quotes know escapes.
    Scalar: (_key, scalar) => {
      if (typeof scalar.value === 'string' && hasHidden(scalar.value)) scalar.type = 'QUOTE_DOUBLE';
    },
  });
  // Long texts stay on one line, as kubectl writes them, so that they can be searched.
  return escapeHidden(tree.toString({ lineWidth: 0 }));
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
