import type { Image, ImageRow } from './image-table.ts';

/** Headway itself, for pods that run it. */
export interface HeadwayProgram {
  /** The folder with its package.json. */
  root: string;
  /** Of `root`: what belongs to the program, as far as it is there. */
  parts: readonly string[];
  /** The file of Node. */
  node: string;
  /** Whether everybody may read it, also who is neither root nor its owner. */
  isReadableByAll: boolean;
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** As in Headway's own image. */
const HOME = '/opt/headway';
const NOBODY = 65_532;

/** The machine with its own programs. */
export const MACHINE: Image = {
  base: { kind: 'machine' },
  env: { PATH: SYSTEM_PATH },
  entrypoint: [],
  command: ['sh'],
  workingDir: '/',
  identity: { uid: 0, gid: 0 },
  binds: [],
  links: [],
  folders: [],
};

/** A folder of the machine that holds a whole file tree. */
export function folderImage(path: string): Image {
  return { ...MACHINE, base: { kind: 'folder', path } };
}

export function builtinImages(program: HeadwayProgram | undefined): ImageRow[] {
  return [
    ...(program === undefined ? [] : [{ pattern: 'headway*', image: headwayImage(program) }]),
    { pattern: 'busybox', image: MACHINE },
    { pattern: 'debian', image: { ...MACHINE, command: ['bash'] } },
    { pattern: 'alpine', image: MACHINE },
    { pattern: '*/kanister-tools', image: { ...MACHINE, command: ['bash'] } },
  ];
}

/** The same paths, user and variables as the image that is made for clusters. */
function headwayImage({ root, parts, node, isReadableByAll }: HeadwayProgram): Image {
  const uid = isReadableByAll ? NOBODY : 0;
  return {
    ...MACHINE,
    env: { PATH: `${HOME}/commands:${HOME}/bin:${SYSTEM_PATH}`, HOME: '/home/headway' },
    command: ['headway', 'server'],
    identity: { uid, gid: uid },
    binds: [
      { source: node, target: '/usr/local/bin/node' },
      ...parts.map((part) => ({ source: `${root}/${part}`, target: `${HOME}/${part}` })),
    ],
    links: [['usr/local/bin/headway', `${HOME}/bin/headway`]],
    folders: ['/home/headway', `${HOME}/commands`],
  };
}
