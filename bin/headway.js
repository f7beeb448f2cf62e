// Plain JavaScript that an old Node can read, so that it can say what is missing instead of failing on a type.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;
if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  process.stderr.write(
    `headway: Node ${NEEDED} or newer is needed, this is ${process.versions.node}.\n` +
      "On Linux 'npm ci' brings one; on macOS and Windows install it from your package manager.\n",
  );
  process.exit(1);
}
// Stripping types is most of what a start costs (150 ms of 200), so a checkout keeps the result.
module.enableCompileCache(fileURLToPath(new URL('../.cache/compile', import.meta.url)));
// One is started for every volume, and its one argument needs no command line to be parsed.
const [, , command, file, ...rest] = process.argv;
const isMover = command === 'mover' && file !== undefined && !file.startsWith('-') && rest.length === 0;
await import(new URL(isMover ? '../src/main/mover/main.ts' : '../src/main/headway.ts', import.meta.url).href);
