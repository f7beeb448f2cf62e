import { join } from 'node:path';

/** The folders of one pod on this machine. */
export class PodPaths {
  readonly dir: string;

  constructor(podsDir: string, uid: string) {
    this.dir = join(podsDir, uid);
  }

  get volumes(): string {
    return join(this.dir, 'volumes');
  }

  get hosts(): string {
    return join(this.dir, 'etc-hosts');
  }

  /** With one folder for each container, which is empty at the beginning of each of its lives. */
  get containers(): string {
    return join(this.dir, 'containers');
  }

  container(name: string): string {
    return join(this.containers, name);
  }

  /** The log of one life of a container. */
  log(name: string, restarts: number): string {
    return join(this.dir, 'logs', name, String(restarts));
  }
}
