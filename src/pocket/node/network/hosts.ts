import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, type Log } from '../../../base/index.ts';
import type { Pod } from '../../controllers/kinds/index.ts';
import type { ControlClient, Running } from '../../controllers/ports.ts';
import { hostnameOf } from '../env/index.ts';
import { hostsText, type HostLine } from './hosts-file.ts';
import { ServiceChanges } from './service-changes.ts';
import { serviceLines } from './service-view.ts';

const GATHER_MS = 200;

interface Kept {
  pod: Pod;
  podIP: string;
  text: string;
}

/** The hosts files of all pods, kept up to date with the services. */
export class Hosts implements Running {
  readonly #client: ControlClient;
  readonly #log: Log;
  readonly #files = new Map<string, Kept>();
  readonly #changes: ServiceChanges;

  constructor(client: ControlClient, log: Log) {
    this.#client = client;
    this.#log = log;
    this.#changes = new ServiceChanges(client, GATHER_MS, () => {
      this.#writeAll();
    });
  }

  /** Writes the file and keeps it up to date until it is let go. */
  keep(file: string, pod: Pod, podIP: string): void {
    mkdirSync(dirname(file), { recursive: true });
    const kept = { pod, podIP, text: '' };
    this.#files.set(file, kept);
    this.#write(file, kept, serviceLines(this.#client, pod.metadata.namespace ?? ''));
  }

  letGo(file: string): void {
    this.#files.delete(file);
  }

  close(): Promise<void> {
    this.#changes.close();
    this.#files.clear();
    return Promise.resolve();
  }

  #writeAll(): void {
    const byNamespace = new Map<string, HostLine[]>();
    for (const [file, kept] of this.#files) {
      const { namespace = '' } = kept.pod.metadata;
      const lines = byNamespace.get(namespace) ?? serviceLines(this.#client, namespace);
      byNamespace.set(namespace, lines);
      this.#write(file, kept, lines);
    }
  }

  /** In place: containers have this very file mounted. */
  #write(file: string, kept: Kept, services: readonly HostLine[]): void {
    const text = hostsText([...ownLines(kept), ...services]);
    if (text === kept.text) return;
    try {
      writeFileSync(file, text, { mode: 0o644 });
      kept.text = text;
    } catch (error) {
      this.#log.warn('writing a hosts file failed', { file, err: messageOf(error) });
    }
  }
}

function ownLines({ pod, podIP }: Kept): HostLine[] {
  const { hostAliases = [], subdomain = '' } = pod.spec;
  const name = hostnameOf(pod);
  const full = subdomain === '' ? [] : [`${name}.${subdomain}.${pod.metadata.namespace ?? ''}.svc.cluster.local`];
  return [
    { ip: podIP, names: [...full, name] },
    ...hostAliases.map(({ ip, hostnames = [] }) => ({ ip, names: hostnames })),
  ];
}
