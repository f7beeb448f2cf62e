/** `npm run bench -- NAME`: runs bench/NAME.ts with the rest of the arguments; without a name, says what there is. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runBench } from './bench-process.ts';

const folder = join(import.meta.dirname, '..', 'bench');

/** A file `client-server.ts` beside `client.ts` is a process of that bench, not a bench of its own. */
function benches(): string[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}-`))).toSorted();
}

/** The comment a bench begins with: what it measures, and its arguments. */
function commentOf(name: string): string {
  const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
  const comment = /^\/\*\*([^]*?)\*\//.exec(text)?.[1] ?? '';
  return comment.replace(/\s*\n\s*\*\s*/g, ' ').trim();
}

function purposeOf(name: string): string {
  return (commentOf(name).split(/[:.]\s/)[0] ?? '').trim();
}

function help(): string {
  const width = Math.max(...benches().map((name) => name.length));
  const lines = benches().map((name) => `  ${name.padEnd(width)}  ${purposeOf(name)}`);
  return `npm run bench -- NAME [ARGUMENTS]\n\n${lines.join('\n')}\n\nExits non-zero when a bench misses its target.`;
}

const [name, ...rest] = process.argv.slice(2);
if (name === undefined || name === '--help' || name === '-h') {
  console.log(help());
} else if (!benches().includes(name)) {
  console.error(`there is no bench "${name}", only: ${benches().join(', ')}`);
  process.exitCode = 2;
} else if (rest.includes('--help') || rest.includes('-h')) {
  console.log(commentOf(name));
} else {
  process.exitCode = await runBench(join(folder, `${name}.ts`), rest);
}
