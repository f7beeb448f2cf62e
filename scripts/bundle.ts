/**
 * `node scripts/bundle.ts DIRECTORY`: the programs as a few files, which start faster and take less memory than a thousand
 * modules (docs/adr/0026, docs/adr/0031). `src/main/built/program.ts` runs it.
 */
import { build, type OutputOptions, type Plugin } from 'rolldown';

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

/**
 * V8 keeps the source of what it runs, and with a single character beyond Latin-1 each one of its characters takes two
 * bytes. No tagged template here reads the raw text of such a character.
 */
const inAscii: Plugin = {
  name: 'in-ascii',
  generateBundle: (_options, bundle) => {
    for (const chunk of Object.values(bundle)) {
      if (chunk.type !== 'chunk') continue;
      chunk.code = chunk.code.replaceAll(
        /[^\0-\x7f]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
    }
  },
};
// Names and lines stay, so that a stack can be read.
const output: OutputOptions = { dir: directory, format: 'esm', comments: false };

for (const input of [ENTRIES, [MOVER]]) {
  await build({ input, platform: 'node', plugins: [inAscii], logLevel: 'silent', output });
}
