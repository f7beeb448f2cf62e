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
  const tools = program === undefined ? MACHINE : withProgram(program);
  return [
    ...(program === undefined ? [] : [{ pattern: 'headway*', image: headwayImage(program) }]),
    { pattern: 'busybox', image: MACHINE },
    { pattern: 'debian', image: { ...MACHINE, command: ['bash'] } },
    { pattern: 'alpine', image: MACHINE },
    // Blueprints count on finding `kando` there.
    { pattern: '*/kanister-tools', image: { ...tools, command: ['bash'] } },
  ];
}

/** The machine with Headway where its own image has it, and its commands on the PATH. */
function withProgram({ root, parts, node }: HeadwayProgram): Image {
  return {
    ...MACHINE,
    env: { PATH: `${HOME}/commands:${HOME}/bin:${SYSTEM_PATH}` },
    binds: [
      { source: node, target: '/usr/local/bin/node' },
      ...parts.map((part) => ({ source: `${root}/${part}`, target: `${HOME}/${part}` })),
    ],
    links: [
      ['usr/local/bin/headway', `${HOME}/bin/headway`],
      ['usr/local/bin/kando', `${HOME}/bin/kando`],
      [`${HOME.slice(1)}/commands/kando`, '../bin/kando'],
    ],
  };
}

/** The same paths, user and variables as the image that is made for clusters. */
function headwayImage(program: HeadwayProgram): Image {
  const uid = program.isReadableByAll ? NOBODY : 0;
  const image = withProgram(program);
  return {
    ...image,
    env: { ...image.env, HOME: '/home/headway' },
    command: ['headway', 'server'],
    identity: { uid, gid: uid },
    folders: ['/home/headway'],
  };
}
