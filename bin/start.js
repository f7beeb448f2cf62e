// Plain JavaScript that an old Node can read, so that it can say what is missing instead of failing on a type.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED = 24;
const COMPILED = fileURLToPath(new URL('../.cache/compile', import.meta.url));

/** Runs a program of this package, given by its path from here, on a Node that is new enough. */
export async function start(name, program, { isLong = false } = {}) {
  if (Number(process.versions.node.split('.')[0]) < NEEDED) {
    process.stderr.write(
      `${name}: Node ${NEEDED} or newer is needed, this is ${process.versions.node}.\n` +
        "On Linux 'npm ci' brings one; on macOS and Windows install it from your package manager.\n",
    );
    process.exit(1);
  }
  // Stripping types is most of what a start costs (150 ms of 200), so a checkout keeps the result.
  module.enableCompileCache(COMPILED);
  const source = new URL(program, import.meta.url);
  await import(bundled(name, program, isLong) ?? source.href);
}

/** Whoever debugs sets HEADWAY_SOURCES, and gets the sources. */
function bundled(name, program, isLong) {
  if (process.env.HEADWAY_SOURCES !== undefined) return undefined;
  // What is shipped, also into pods, has no place to keep what it stripped of types. A checkout has no such folder.
  const file = program.slice(program.lastIndexOf('/') + 1).replace('.ts', '.js');
  const shipped = new URL(`../dist/program/${file}`, import.meta.url);
  if (existsSync(shipped)) return shipped.href;
  return isLong ? bundle(name) : undefined;
}

function bundle(name) {
  // A process of its own: what strips types from TypeScript would stay in this one's memory.
  const args = [fileURLToPath(new URL('../src/main/built/find-program.ts', import.meta.url)), name];
  const env = { ...process.env, NODE_COMPILE_CACHE: COMPILED };
  const { status, stdout, error, signal } = spawnSync(process.execPath, args, {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // It reports what goes wrong itself, unless it could not be started or was killed.
  if (status === null) {
    process.stderr.write(`${name}: cannot find the program to run: ${error?.message ?? `ended by ${signal}`}\n`);
  }
  if (status !== 0) process.exit(status ?? 1);
  // What somebody has Node load beforehand may have something to say too.
  const [, path] = /^headway-program:(.*)$/m.exec(stdout.toString()) ?? [];
  if (path !== undefined) return pathToFileURL(path).href;
  process.stderr.write(`${name}: cannot find the program to run: its path is not in what ${args[0]} printed\n`);
  process.exit(1);
}
