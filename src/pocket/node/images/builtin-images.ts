import type { Image, ImageRow } from './image-table.ts';

/** Headway itself, for pods that run it. */
export interface HeadwayProgram {
  /** The folder with its package.json. */
  root: string;
  /** Of `root`: what belongs to the program, as far as it is there. */
  parts: readonly string[];
  /** The folder with its programs as bundles, where they are not a part of `root`. */
  bundle?: string | undefined;
  /** The file of Node. */
  node: string;
  /** Whether everybody may read it, also who is neither root nor its owner. */
  isReadableByAll: boolean;
  /** Programs of the machine that its image has besides, such as kopia. */
  tools?: readonly { name: string; file: string }[];
}

const SYSTEM_PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
/** As in Headway's own image. */
const HOME = '/opt/headway';
const NOBODY = 65_532;

/** The machine with its own programs. */
const MACHINE: Image = {
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

/** What `kando` needs of the program; the rest of it is for pods that run Headway itself. */
const KANDO_PARTS = ['package.json', 'bin', 'src', 'dist', 'node_modules'];

/** The machine, and behind its own programs `kando`: commands of Blueprints call it. */
export function machineImage(program: HeadwayProgram | undefined): Image {
  if (program === undefined) return MACHINE;
  const { node } = program;
  return {
    ...MACHINE,
    env: { PATH: `${SYSTEM_PATH}:${HOME}/bin` },
    binds: [
      { source: node, target: `${HOME}/node` },
      ...partsOf({ ...program, parts: program.parts.filter((part) => KANDO_PARTS.includes(part)) }),
    ],
  };
}

/** A folder of the machine that holds a whole file tree. */
export function folderImage(path: string): Image {
  return { ...MACHINE, base: { kind: 'folder', path } };
}

export function builtinImages(program: HeadwayProgram | undefined): ImageRow[] {
  const machine = machineImage(program);
  const tools = program === undefined ? MACHINE : withProgram(program);
  return [
    ...(program === undefined ? [] : [{ pattern: 'headway*', image: headwayImage(program) }]),
    { pattern: 'busybox', image: machine },
    { pattern: 'debian', image: { ...machine, command: ['bash'] } },
    { pattern: 'alpine', image: machine },
    // Blueprints count on finding `kando` there, before anything of the machine.
    { pattern: '*/kanister-tools', image: { ...tools, command: ['bash'] } },
  ];
}

/** The machine with Headway where its own image has it, and its commands on the PATH. */
function withProgram(program: HeadwayProgram): Image {
  const { node, tools = [] } = program;
  return {
    ...MACHINE,
    env: { PATH: `${HOME}/commands:${HOME}/bin:${SYSTEM_PATH}` },
    binds: [
      { source: node, target: '/usr/local/bin/node' },
      ...tools.map(({ name, file }) => ({ source: file, target: `/usr/local/bin/${name}` })),
      ...partsOf(program),
    ],
    links: [
      ['usr/local/bin/headway', `${HOME}/bin/headway`],
      ['usr/local/bin/kando', `${HOME}/bin/kando`],
      [`${HOME.slice(1)}/commands/kando`, '../bin/kando'],
    ],
  };
}

/** A pod starts a mover or `kando` for a moment, and from a bundle in a fifth of the time. */
function partsOf({ root, parts, bundle }: HeadwayProgram): Image['binds'] {
  const isMissing = bundle !== undefined && !parts.includes('dist');
  return [
    ...parts.map((part) => ({ source: `${root}/${part}`, target: `${HOME}/${part}` })),
    ...(isMissing ? [{ source: bundle, target: `${HOME}/dist/program` }] : []),
  ];
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
