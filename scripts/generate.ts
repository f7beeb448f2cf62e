/**
 * Runs the generators: every `scripts/generate-NAME.ts`.
 *
 *   node scripts/generate.ts [NAME…] [--check]
 *
 * `--check` writes nothing and fails, naming everything that is stale. A generator exports
 *
 *   generate(): Files | Promise<Files>   path from the repository's root → content
 *   folders: string[]                    (optional) folders that hold nothing else: any other file there is stale
 *
 * One that needs more than Node (a compiler, the network) exports instead
 *
 *   generate(): void | Promise<void>     writes its files itself; runs only when named
 *   check(): string[]                    what is stale, in words, found without those needs
 */
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Files = ReadonlyMap<string, string>;
interface LightGenerator {
  generate(): Files | Promise<Files>;
  folders?: readonly string[];
}
interface HeavyGenerator {
  generate(): void | Promise<void>;
  check(): string[] | Promise<string[]>;
}

const ROOT = join(import.meta.dirname, '..');

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

async function read(path: string): Promise<string | undefined> {
  return readFile(join(ROOT, path), 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
}

async function entriesOf(folder: string): Promise<string[]> {
  return readdir(join(ROOT, folder)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
}

/** What differs from what the generator makes; brought up to date unless `check`. */
async function runLight(generator: LightGenerator, check: boolean): Promise<string[]> {
  const files = await generator.generate();
  const stale: string[] = [];
  for (const [path, content] of files) {
    if ((await read(path)) === content) continue;
    stale.push(path);
    if (check) continue;
    await mkdir(dirname(join(ROOT, path)), { recursive: true });
    await writeFile(join(ROOT, path), content);
  }
  for (const folder of generator.folders ?? []) {
    const paths = (await entriesOf(folder)).map((entry) => `${folder}/${entry}`);
    for (const path of paths.filter((candidate) => !files.has(candidate))) {
      stale.push(path);
      if (!check) await rm(join(ROOT, path));
    }
  }
  return stale;
}

/** What is stale, in words; without `check`, what was written. */
async function runGenerator(name: string, options: { check: boolean; named: boolean }): Promise<string[]> {
  const generator = (await import(`./generate-${name}.ts`)) as LightGenerator | HeavyGenerator;
  if (!('check' in generator)) return runLight(generator, options.check);
  if (options.check) return generator.check();
  if (!options.named) return [];
  await generator.generate();
  return [`what ${name} makes`];
}

async function main(args: string[]): Promise<number> {
  const check = args.includes('--check');
  const wanted = args.filter((arg) => !arg.startsWith('--'));
  const known = (await readdir(import.meta.dirname)).flatMap((file) => /^generate-(.+)\.ts$/.exec(file)?.[1] ?? []);
  const unknown = wanted.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    console.error(`no generator named ${unknown.join(', ')}; there are ${known.join(', ')}`);
    return 2;
  }
  let isStale = false;
  for (const name of wanted.length > 0 ? wanted : known) {
    for (const what of await runGenerator(name, { check, named: wanted.length > 0 })) {
      isStale = true;
      console.log(check ? `stale: ${what} (npm run generate ${name})` : `updated ${what}`);
    }
  }
  return check && isStale ? 1 : 0;
}

process.exitCode = await main(process.argv.slice(2));
