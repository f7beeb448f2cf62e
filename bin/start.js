// Plain JavaScript that an old Node can read, so that it can say what is missing instead of failing on a type.
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;

/** Runs a program of this package, given by its path from here, on a Node that is new enough. */
export async function start(name, program) {
  if (Number(process.versions.node.split('.')[0]) < NEEDED) {
    process.stderr.write(
      `${name}: Node ${NEEDED} or newer is needed, this is ${process.versions.node}.\n` +
        "On Linux 'npm ci' brings one; on macOS and Windows install it from your package manager.\n",
    );
    process.exit(1);
  }
  // Stripping types is most of what a start costs (150 ms of 200), so a checkout keeps the result.
  module.enableCompileCache(fileURLToPath(new URL('../.cache/compile', import.meta.url)));
  await import(new URL(program, import.meta.url).href);
}
