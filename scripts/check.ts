/** `npm run check`: format, lint, types, layers, dead code, generated files, dependencies. Reports every failure, not only the first. */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';

const CHECKS: Readonly<Record<string, readonly string[]>> = {
  types: ['tsc', '-b'],
  // Without its cache: a rule that looks at types can change its mind about a file that did not change.
  lint: ['eslint', '.'],
  format: ['prettier', '--check', '--log-level', 'warn', '--cache', '--cache-location', '.cache/prettier', '.'],
  layers: ['depcruise', '--config', '.dependency-cruiser.cjs', 'src', 'web'],
  'dead code': ['knip', '--no-progress'],
  generated: ['node', 'scripts/generate.ts', '--check'],
  dependencies: ['node', 'scripts/check-dependencies.ts'],
};

interface Outcome {
  name: string;
  ok: boolean;
  seconds: number;
  output: string;
}

function run(name: string, command: readonly string[]): Promise<Outcome> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    const child = spawn(command[0] ?? '', command.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const end = (ok: boolean): void => {
      resolve({ name, ok, output, seconds: (performance.now() - startedAt) / 1000 });
    };
    child.on('error', (error) => {
      output += `${error.message} (run it as 'npm run check')`;
      end(false);
    });
    child.on('close', (code) => {
      end(code === 0);
    });
  });
}

const waiting = Object.entries(CHECKS);
const failed: Outcome[] = [];
async function worker(): Promise<void> {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const outcome = await run(...next);
    // What could not be looked at is said also where all is well.
    const skipped = /^skipped: .*$/m.exec(outcome.output)?.[0] ?? '';
    const took = `${outcome.seconds.toFixed(1).padStart(5)} s`;
    console.log(`${outcome.ok ? '✓' : '✕'} ${outcome.name.padEnd(12)} ${took}  ${skipped}`.trimEnd());
    if (!outcome.ok) failed.push(outcome);
  }
}
await Promise.all(Array.from({ length: Math.min(3, availableParallelism()) }, worker));
for (const { name, output } of failed) console.log(`\n── ${name} ──\n${output.trimEnd()}`);
process.exitCode = failed.length === 0 ? 0 : 1;
