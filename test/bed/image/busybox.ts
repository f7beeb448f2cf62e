import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { debianTree } from '../cache.ts';
import type { Image } from './archive.ts';
import { type Entry, file, folder, link, text } from './entries.ts';

const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Debian's static busybox under all of its names, and what a program expects to find around it. */
export function busyboxImages(pause: string): Image[] {
  const layers = [[...skeleton(), ...busybox('bin')]];
  return [
    { names: ['busybox:1', 'busybox:latest'], settings: { Env: [`PATH=${PATH}`], Cmd: ['sh'] }, layers },
    // It holds a pod's namespaces and does nothing, which the programs of busybox can do too.
    { names: [pause], settings: { Env: [`PATH=${PATH}`], Cmd: ['sleep', 'infinity'] }, layers },
  ];
}

/** Busybox in a folder of the image, with a link for each of its programs. */
export function busybox(path: string): Entry[] {
  const program = join(debianTree('node'), 'bin', 'busybox');
  const listed = spawnSync(program, ['--list'], { encoding: 'utf8' });
  if (listed.status !== 0)
    throw new Error(`ask ${program} for its programs: ${listed.error?.message ?? listed.stderr}`);
  const names = listed.stdout.trim().split('\n');
  const links = names.filter((name) => name !== 'busybox').map((name) => link(`${path}/${name}`, 'busybox'));
  return [file(`${path}/busybox`, program), ...links];
}

/** Folders and names that programs rely on. */
export function skeleton(): Entry[] {
  return [
    folder('tmp', 0o1777),
    folder('var/tmp', 0o1777),
    folder('root', 0o700),
    folder('home/headway', 0o777),
    text('etc/passwd', 'root:x:0:0:root:/root:/bin/sh\nheadway:x:65532:65532:headway:/home/headway:/bin/sh\n'),
    text('etc/group', 'root:x:0:\nheadway:x:65532:\n'),
    text('etc/nsswitch.conf', 'hosts: files dns\n'),
  ];
}
