import { KINDS, apiVersionOf, deviations, type AnyKind, type StructuralSchema } from '../src/api/index.ts';
import type { Files } from './generate.ts';

const NOTICE = '<!-- Generated from src/api by `npm run generate`. Do not edit. -->\n';
const FOLDER = 'docs/reference/api';

export const folders = [FOLDER];

export function generate(): Files {
  const pages = KINDS.map((kind) => [`${FOLDER}/${kind.singular}.md`, kindPage(kind)] as const);
  return new Map([...pages, [`${FOLDER}/README.md`, overview()], ['docs/reference/deviations.md', deviationsPage()]]);
}

const row = (...cells: string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |\n`;
const table = (head: string[], rows: string[][]): string =>
  row(...head) + row(...head.map(() => '---')) + rows.map((cells) => row(...cells)).join('');

function overview(): string {
  const rows = KINDS.map((kind) => [
    `[${kind.kind}](${kind.singular}.md)`,
    `\`${apiVersionOf(kind)}\``,
    kind.shortNames.map((name) => `\`${name}\``).join(', '),
    kind.doc,
  ]);
  return `${NOTICE}
# Kinds

Every kind that Headway serves. Names, types and phases are upstream's; what Headway adds is in \`status\`.
No kind has a status subresource, as upstream: status is written with the object.

${table(['Kind', 'API version', 'Short', 'What it is'], rows)}`;
}

function kindPage(kind: AnyKind): string {
  const fields = fieldRows(kind.structural()).filter(([path]) => !/^`(apiVersion|kind|metadata)`$/.test(path ?? ''));
  const columns = kind.columns.map((column) => [
    column.name,
    `\`${column.jsonPath}\``,
    (column.priority ?? 0) > 0 ? 'with `-o wide`' : 'always',
  ]);
  const short = kind.shortNames.map((name) => `, short name \`${name}\``).join('');
  return `${NOTICE}
# ${kind.kind}

${kind.doc}

\`${apiVersionOf(kind)}\`, \`kubectl get ${kind.plural}\`${short}.

## Fields

Fields marked * must be there.

${table(['Field', 'Type', 'Meaning'], fields)}
## Columns of \`kubectl get\`

${table(['Column', 'Value', 'Shown'], columns)}`;
}

function fieldRows(schema: StructuralSchema, prefix = ''): string[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const { suffix, inner } = unwrap(field);
    const path = `${prefix}${name}${suffix}`;
    const star = schema.required?.includes(name) === true ? '*' : '';
    return [[`\`${path}\`${star}`, typeWord(inner), meaning(field, inner)], ...fieldRows(inner, `${path}.`)];
  });
}

function unwrap(field: StructuralSchema): { suffix: string; inner: StructuralSchema } {
  let suffix = '';
  let inner = field;
  for (;;) {
    if (inner.items !== undefined) {
      suffix += '[]';
      inner = inner.items;
    } else if (inner.additionalProperties !== undefined) {
      suffix += '.*';
      inner = inner.additionalProperties;
    } else {
      return { suffix, inner };
    }
  }
}

function typeWord(schema: StructuralSchema): string {
  if (schema['x-kubernetes-int-or-string'] === true) return 'integer or text';
  if (schema.format === 'date-time') return 'time';
  if (schema.format === 'byte') return 'base64';
  if (schema['x-kubernetes-preserve-unknown-fields'] === true) return 'any object';
  return schema.type === 'string' ? 'text' : (schema.type ?? '');
}

function meaning(field: StructuralSchema, inner: StructuralSchema): string {
  const values = inner.enum?.map((value) => (value === '' ? 'empty' : `\`${value}\``)).join(', ');
  return [field.description, values === undefined ? undefined : `One of ${values}.`].filter(Boolean).join(' ');
}

function deviationsPage(): string {
  const rows = deviations().map(({ kind, source, found, written, reading }) => [kind, source, found, written, reading]);
  return `${NOTICE}
# Deviations

Where a design document contradicts upstream or itself. Headway writes upstream's names and forms, and accepts the
others where it reads.

${table(['Kind', 'Source', 'What is found there', 'What Headway writes', 'What Headway does when it reads'], rows)}`;
}
