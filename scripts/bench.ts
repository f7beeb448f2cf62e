/** `npm run bench -- NAME`: runs bench/NAME.ts with the rest of the arguments; without a name, says what there is. */
import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', 'bench');

/** A file `client-server.ts` beside `client.ts` is a process of that bench, not a bench of its own. */
function benches(): string[] {
  const names = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .map((file) => file.slice(0, -3));
  return names.filter((name) => !names.some((other) => name.startsWith(`${other}-`))).toSorted();
}

/** The first sentence of the comment a bench begins with. */
function purposeOf(name: string): string {
  const text = readFileSync(join(folder, `${name}.ts`), 'utf8');
  const comment = /^\/\*\*([^]*?)\*\//.exec(text)?.[1] ?? '';
  return (comment.replace(/\s*\n\s*\*\s*/g, ' ').split(/[:.]\s/)[0] ?? '').trim();
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
} else {
  const child = spawn(process.execPath, [join(folder, `${name}.ts`), ...rest], { stdio: 'inherit' });
  child.on('close', (code) => {
    process.exitCode = code ?? 1;
  });
}
