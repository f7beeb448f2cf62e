import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { deviations, KINDS } from './index.ts';

const page = readFileSync(new URL('../../docs/reference/deviations.md', import.meta.url), 'utf8');
const documented = page.split('\n').filter((line) => /^\| (?!Kind |---)/.test(line));
const known = deviations().map(
  ({ kind, source, found, written, reading }) => `| ${[kind, source, found, written, reading].join(' | ')} |`,
);

describe('docs/reference/deviations.md', () => {
  it('lists every deviation, and nothing else', () => {
    expect(documented).toEqual(known);
  });

  it('lists every other name that a kind accepts', () => {
    for (const { kind, renames } of KINDS) {
      for (const { from, to } of renames) {
        const row = documented.find((line) => line.startsWith(`| ${kind} |`) && line.includes(`\`${from}\` in`));
        expect(row, `${kind} ${from}`).toContain(`reads as \`${to}\``);
      }
    }
  });

  it.each(['12:448:55Z', 'completed', 'sizeUploaded', 'SizeUploadedB', 'itenerary', 'ResourceRestore'])(
    'names %s',
    (word) => {
      expect(page).toContain(word);
    },
  );
});
