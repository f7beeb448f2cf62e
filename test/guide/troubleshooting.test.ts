import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { helpTexts } from '../../src/cli/run.ts';

const ROOT = join(import.meta.dirname, '../..');
const read = (page: string): string => readFileSync(join(ROOT, 'docs/guide', page), 'utf8');
const PAGES = ['troubleshooting.md', 'faq.md', 'real-cluster.md', 'in-cluster.md'];
const fences = (text: string, language: string): string[] =>
  [...text.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms'))].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );

it('quotes what Headway really says', () => {
  const files = globSync('src/**/*.ts', { cwd: ROOT }).filter((file) => !file.endsWith('.test.ts'));
  const source = files.map((file) => readFileSync(join(ROOT, file), 'utf8').replaceAll("\\'", "'")).join('\n');
  const quotes = fences(read('troubleshooting.md'), 'text').flatMap((line) => line.split('…'));
  const parts = quotes.map((part) => part.trim()).filter((part) => part.length > 3);
  expect(parts.length).toBeGreaterThan(15);
  expect(parts.filter((part) => !source.includes(part))).toEqual([]);
});

it('has eleven troubles, each with a command', () => {
  const sections = read('troubleshooting.md')
    .split(/^## \d+\. /m)
    .slice(1);
  expect(sections).toHaveLength(11);
  expect(sections.filter((section) => !/`(headway|kubectl) |^(headway|kubectl) /m.test(section))).toEqual([]);
});

it('prints only commands and flags that there are', () => {
  const help = new Map(helpTexts().map(({ command, help: text }) => [command, text]));
  const pages = PAGES.map(read);
  const lines = pages.flatMap((page) => [
    ...fences(page, 'sh'),
    ...[...page.matchAll(/`(headway [^`]+)`/g)].map(([, line = '']) => line),
  ]);
  const commands = lines.map((line) => line.replace(/ +#.*/, '')).filter((line) => line.startsWith('headway '));
  expect(commands.length).toBeGreaterThan(25);
  for (const line of commands) {
    const words = line.split(' ');
    const known = [3, 2].map((count) => help.get(words.slice(0, count).join(' '))).find((text) => text !== undefined);
    expect(known, line).toBeDefined();
    for (const flag of words.filter((word) => word.startsWith('--'))) expect(known, line).toContain(flag);
  }
});

it('links to what is there', () => {
  const anchorsOf = (text: string): string[] =>
    [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replaceAll(/[^\w\s-]/g, '')
        .replaceAll(' ', '-'),
    );
  for (const page of PAGES) {
    for (const [, target = ''] of read(page).matchAll(/\]\(([^)]+)\)/g)) {
      const [file = '', anchor] = target.split('#');
      const text = readFileSync(join(ROOT, 'docs/guide', file === '' ? page : file), 'utf8');
      if (anchor !== undefined) expect(anchorsOf(text), `${page}: ${target}`).toContain(anchor);
    }
  }
});
