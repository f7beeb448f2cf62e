/**
 * `node scripts/bundle.ts DIRECTORY`: the programs as a few files, which start faster and take less memory than a thousand
 * modules (docs/adr/0026, docs/adr/0031). `src/main/built/program.ts` runs it.
 */
import { join } from 'node:path';
import { build, type OutputOptions } from 'rolldown';
import { inAscii } from './bundle/in-ascii.ts';
import { noCircles } from './bundle/no-circles.ts';
import { nodeByName } from './bundle/node-by-name.ts';
import { usedUndici } from './bundle/used-undici.ts';

/** The programs, and what runs in threads of their own. */
const ENTRIES = [
  'src/main/headway.ts',
  'src/main/kando.ts',
  'src/main/serve/watchdog-thread.ts',
  'src/control/operation/yaml/yaml-worker.ts',
  'src/edge/volumes/stream/estimate-worker.ts',
];
/** One is started for every volume: what it shares with the others stands in it again, so that it loads nothing else. */
const MOVER = 'src/main/mover.ts';

const directory = process.argv[2];
if (directory === undefined) throw new Error('usage: node scripts/bundle.ts DIRECTORY');

// Names and lines stay, so that a stack can be read.
const output: OutputOptions = { dir: directory, format: 'esm', comments: false };
const plugins = [usedUndici(join(import.meta.dirname, '..')), noCircles, nodeByName, inAscii];
// Modules, where a package has both: of those a bundle has only what is used.
const resolve = { mainFields: ['module', 'main'], conditionNames: ['module', 'node', 'import', 'default'] };

for (const input of [ENTRIES, [MOVER]]) {
  await build({ input, platform: 'node', plugins, resolve, logLevel: 'silent', output });
}
