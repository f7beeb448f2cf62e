import { accessSync, constants, statSync } from 'node:fs';
import { join } from 'node:path';

/** Without these there are no namespaces for pods. */
const FOR_NAMESPACES = ['sh', 'chroot', 'hostname', 'mkfifo', 'mount', 'nsenter', 'setpriv', 'unshare'] as const;
/** Without these there are no terminals. */
const FOR_TERMINALS = ['script', 'stty'] as const;

type ProgramName = (typeof FOR_NAMESPACES)[number] | (typeof FOR_TERMINALS)[number];

/** Where administrators' programs are, which many users have not on their PATH. */
const ALWAYS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** The machine's own programs that pods are made with, by absolute path: the PATH of a container is not ours. */
export class Programs {
  readonly #paths: ReadonlyMap<ProgramName, string>;

  /** `searchPath` is a PATH. */
  constructor(searchPath: string) {
    const folders = [...searchPath.split(':').filter((folder) => folder.startsWith('/')), ...ALWAYS];
    const found = [...FOR_NAMESPACES, ...FOR_TERMINALS].flatMap((name): [ProgramName, string][] => {
      const path = folders.map((folder) => join(folder, name)).find(isProgram);
      return path === undefined ? [] : [[name, path]];
    });
    this.#paths = new Map(found);
  }

  /** The name itself where there is none: starting it then says so. */
  path(name: ProgramName): string {
    return this.#paths.get(name) ?? name;
  }

  has(...names: ProgramName[]): boolean {
    return names.every((name) => this.#paths.has(name));
  }

  get missingForNamespaces(): string[] {
    return FOR_NAMESPACES.filter((name) => !this.#paths.has(name));
  }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not for us.
    return false;
  }
}
