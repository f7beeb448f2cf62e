import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { linkSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addHardLinks, addSparseFile, makeTree } from '../../src/edge/volumes/samples.ts';

const GIB = 1024 ** 3;
const isRoot = process.getuid?.() === 0;

/** What is in a volume that no copy can keep as it is. */
export const SPECIAL = ['socket', 'fifo', ...(isRoot ? ['device'] : [])];

/** Writes a file whose name is no text. */
export function writeNameless(directory: string, byte: number, content: string): void {
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/b`), Buffer.from([byte])]), content);
}

/** Everything that a copy keeps, and what it has to leave out and name. `outside` is what a link leads to. */
export function makeOdd(directory: string, outside: string): void {
  makeTree(directory, { anyName: false });
  addHardLinks(directory);
  linkSync(join(directory, 'link'), join(directory, 'second-link'));
  for (const [name, target] of [
    ['way-out', outside],
    ['way-up', '../..'],
    ['to-itself', 'to-itself'],
    ['to-root', '/'],
  ] as const) {
    symlinkSync(target, join(directory, name));
  }
  // Its whole path is too long for a socket's address, and it stays when its process has ended.
  const listen = `process.chdir(process.argv[1]); require('net').createServer().listen('socket', () => process.exit())`;
  execFileSync(process.execPath, ['-e', listen, directory]);
  execFileSync('sh', ['-c', 'mkfifo "$0"', join(directory, 'fifo')]);
  if (isRoot) execFileSync('mknod', [join(directory, 'device'), 'c', '1', '3']);
  // Where the file system has them they are not kept, and must not be in the way.
  spawnSync('python3', [
    '-c',
    'import os, sys; os.setxattr(sys.argv[1], "user.colour", b"blue")',
    join(directory, 'a'),
  ]);
}

/** Two hundred directories below each other, each with a file. */
export function makeDeep(directory: string): void {
  let at = directory;
  for (let depth = 0; depth < 200; depth += 1) {
    at = join(at, `level-${String(depth)}`);
    mkdirSync(at);
    writeFileSync(join(at, 'f'), String(depth));
  }
}

/** So deep that no path leads to its end; to be removed by `removeBeyond`, because Node cannot. */
export function makeBeyond(directory: string): void {
  const script = `const { mkdirSync, writeFileSync } = require('fs');
    process.chdir(process.argv[1]);
    for (let depth = 0; depth < 200; depth += 1) {
      mkdirSync('so-deep-that-no-path-leads-there');
      process.chdir('so-deep-that-no-path-leads-there');
    }
    writeFileSync('file', 'end');`;
  execFileSync(process.execPath, ['-e', script, directory]);
}

export function removeBeyond(directory: string): void {
  execFileSync('sh', ['-c', 'rm -rf "$0"/*', directory]);
}

/** A file of so many bytes that takes almost no room. */
export function makeSparse(directory: string, gibibytes: number): void {
  addSparseFile(directory, gibibytes * GIB);
}

const NEVER_STILL = `
cd "$0" || exit 1
i=0
while :; do
  i=$((i + 1))
  echo "line $i" >>grows
  head -c $((i % 7 * 100000)) /dev/urandom >changes
  echo "$i" >new-$i
  mkdir dir-$i && echo "$i" >dir-$i/file
  ln -s new-$i link-$i
  rm -rf new-$((i - 20)) dir-$((i - 20)) link-$((i - 20))
  mv moved-$((i - 1)) moved-$i
  if [ $((i % 2)) = 0 ]; then rm -f turns; mkdir -p turns; echo x >turns/x; else rm -rf turns; echo file >turns; fi
done 2>/dev/null
`;

/** A program that never leaves the files of its directory alone, from now to its disposal. */
export class NeverStill implements Disposable {
  readonly #children: ChildProcess[] = [];

  begin(directory: string): void {
    for (let file = 0; file < 400; file += 1) writeFileSync(join(directory, `calm-${file}`), `calm ${file}`);
    writeFileSync(join(directory, 'moved-0'), 'always somewhere');
    this.#children.push(spawn('nice', ['sh', '-c', NEVER_STILL, directory], { stdio: 'ignore' }));
  }

  [Symbol.dispose](): void {
    for (const child of this.#children) child.kill('SIGKILL');
  }
}
