import { stringifyJson, type Json } from '../../../base/index.ts';
import type { PrinterColumn, Resource } from '../registry/index.ts';
import { age } from './age.ts';
import { CREATED_AT, NAME, type Column } from './column.ts';
import { compileJsonPath } from './json-path.ts';
import { BUILTIN_COLUMNS } from './printers/index.ts';

const PLAIN: readonly Column[] = [NAME, CREATED_AT];

/** The columns of a resource: kubectl's own for built-in kinds, the definition's for custom ones. */
export function columnsOf(resource: Resource): readonly Column[] {
  if (resource.custom === undefined) return BUILTIN_COLUMNS[resource.storage] ?? PLAIN;
  return [NAME, ...resource.custom.columns.map(customColumn)];
}

const TYPES = ['string', 'integer', 'boolean', 'number', 'date'] as const;

function customColumn(column: PrinterColumn): Column {
  const read = compileJsonPath(column.jsonPath);
  const type = TYPES.find((known) => known === column.type) ?? 'string';
  return {
    name: column.name,
    type,
    format: column.format ?? '',
    description: column.description ?? '',
    wide: (column.priority ?? 0) > 0,
    cell: (object, now) => customCell(type, read(object), now),
  };
}

/** The first of what the path finds, as with the real server. */
function customCell(type: Column['type'], [first]: readonly Json[], now: number): Json {
  if (first === undefined || first === null) return null;
  switch (type) {
    case 'date':
      return age(first, now);
    case 'integer':
    case 'number':
      return typeof first === 'number' || typeof first === 'bigint' ? first : null;
    case 'boolean':
      return typeof first === 'boolean' ? first : null;
    case 'string':
      return typeof first === 'string' ? first : stringifyJson(first);
  }
}
