import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtPage } from '../../../src/main/built/page.ts';
import { builtProgram } from '../../../src/main/built/program.ts';
import { debianTree, programPath } from '../cache.ts';
import { partNamed } from '../parts.ts';
import type { Image } from './archive.ts';
import { busybox, skeleton } from './busybox.ts';
import { type Entry, file, link, text, tree } from './entries.ts';

const ROOT = join(import.meta.dirname, '../../..');
const HOME = 'opt/headway';
/** Headway's own commands for what runs in pods. */
const COMMANDS = `${HOME}/commands`;
const PATH = `/${COMMANDS}:/${HOME}/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin`;
/** Nobody: what runs Headway in a cluster is not root, and whoever needs root in a pod asks for it. */
const USER = '65532:65532';

/** Headway with Node, the movers and what people expect to find in a shell. Layers that change most come last. */
export async function headwayImages(signal: AbortSignal): Promise<Image[]> {
  const page = await builtPage({ root: ROOT, signal });
  const program = await builtProgram(ROOT, { signal });
  const layers = [
    debian(),
    [file('usr/local/bin/node', join(ROOT, 'node_modules', `node-linux-${process.arch}`, 'bin/node'))],
    movers(),
    dependencies(),
    [...sources(), ...tree(`${HOME}/dist/web`, page), ...tree(`${HOME}/dist/program`, program)],
  ];
  const settings = { User: USER, Env: [`PATH=${PATH}`, 'HOME=/home/headway'], Cmd: ['headway', 'server'] };
  return [{ names: ['headway:dev'], settings, layers }];
}

function debian(): Entry[] {
  const source = debianTree('image');
  const certificates = join(source, 'usr/share/ca-certificates/mozilla');
  const bundle = readdirSync(certificates).map((name) => readFileSync(join(certificates, name), 'utf8'));
  const unused = new Set(['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/share/lintian', 'packages']);
  const kept = (path: string) => !unused.has(path.slice(source.length + 1));
  return [
    ...skeleton(),
    ...busybox('usr/bin'),
    ...tree('', source, kept),
    // Debian's own tool would write it when the package is installed.
    text('etc/ssl/certs/ca-certificates.crt', bundle.join('')),
  ];
}

function movers(): Entry[] {
  return (['kopia', 'restic'] as const).map((name) => file(`usr/local/bin/${name}`, programPath(partNamed(name))));
}

interface Lock {
  packages: Record<string, { dev?: boolean; optional?: boolean }>;
}

/** What Headway imports at run time, as the lock file has it; Node itself is a layer of its own. */
function dependencies(): Entry[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as Lock;
  const needed = Object.entries(packages).filter(([path, { dev, optional }]) => path !== '' && !dev && !optional);
  // A package inside another is in the list as well, and may be one that is not needed.
  const notNested = (path: string) => !path.endsWith('/node_modules');
  return needed.flatMap(([path]) => tree(`${HOME}/${path}`, join(ROOT, path), notNested));
}

/** Outside node_modules, because Node strips no types in there. */
function sources(): Entry[] {
  const shipped = (path: string) => !/\.test\.tsx?$|\/conformance\.ts$/.test(path);
  return [
    ...['src', 'bin', 'deploy'].flatMap((name) => tree(`${HOME}/${name}`, join(ROOT, name), shipped)),
    file(`${HOME}/package.json`, join(ROOT, 'package.json')),
    link('usr/local/bin/headway', `/${HOME}/bin/headway`),
    // Blueprints call it by this name.
    link('usr/local/bin/kando', `/${HOME}/bin/kando`),
    link(`${COMMANDS}/kando`, '../bin/kando'),
  ];
}
