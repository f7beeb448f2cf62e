import { connect, createServer, type Server, type Socket } from 'node:net';
import { SERVICES, type Service } from '../../controllers/kinds/index.ts';
import type { ControlClient, Running } from '../../controllers/ports.ts';
import { NODE_IP } from '../node-object.ts';
import { ServiceChanges } from './service-changes.ts';
import { backendsOf } from './service-view.ts';

export interface ServiceProxyDeps {
  client: ControlClient;
  /** The first half of the addresses of services; others belong to a cluster that was simulated. */
  prefix: string;
  /** Where the service `kubernetes` leads. */
  apiPort: number;
  /** An address that cannot be listened on. */
  onProblem(service: Service, message: string): void;
}

/** One address and port that leads to the pods of a service. */
interface Door {
  ip: string;
  port: number;
  service: Service;
  portName: string;
}

const GATHER_MS = 50;
const CONNECT_WITHIN_MS = 5000;

/** Listens where services are and passes on to their pods. */
export class ServiceProxy implements Running {
  readonly #deps: ServiceProxyDeps;
  readonly #doors = new Map<string, { door: Door; server: Server | undefined }>();
  readonly #sockets = new Set<Socket>();
  readonly #changes: ServiceChanges;
  #turn = 0;

  constructor(deps: ServiceProxyDeps) {
    this.#deps = deps;
    this.#changes = new ServiceChanges(deps.client, GATHER_MS, () => this.#open());
  }

  async close(): Promise<void> {
    this.#changes.close();
    for (const socket of this.#sockets) socket.destroy();
    await Promise.all([...this.#doors.keys()].map((key) => this.#shut(key)));
  }

  async #open(): Promise<void> {
    const wanted = new Map<string, Door>();
    for (const service of this.#deps.client.list(SERVICES)) {
      for (const door of this.#doorsOf(service)) wanted.set(`${door.ip}:${door.port}`, door);
    }
    for (const key of [...this.#doors.keys()]) if (!wanted.has(key)) await this.#shut(key);
    for (const [key, door] of wanted) {
      const known = this.#doors.get(key);
      // The service behind it may be another one by now, under the same address.
      if (known === undefined) this.#listen(key, door);
      else known.door = door;
    }
  }

  #doorsOf(service: Service): Door[] {
    const ip = service.spec?.clusterIP ?? '';
    const doors: Door[] = [];
    for (const { port, nodePort = 0, name: portName = '', protocol = 'TCP' } of service.spec?.ports ?? []) {
      if (protocol !== 'TCP') continue;
      if (ip.startsWith(this.#deps.prefix)) doors.push({ ip, port, service, portName });
      if (nodePort !== 0) doors.push({ ip: NODE_IP, port: nodePort, service, portName });
    }
    return doors;
  }

  #listen(key: string, door: Door): void {
    const entry: { door: Door; server: Server | undefined } = { door, server: undefined };
    this.#doors.set(key, entry);
    const server = createServer({ allowHalfOpen: true }, (socket) => {
      this.#pass(socket, entry.door);
    });
    entry.server = server;
    server.on('error', (error: NodeJS.ErrnoException) => {
      this.#deps.onProblem(door.service, problemText(door, error.code));
    });
    server.listen({ host: door.ip, port: door.port, exclusive: true });
  }

  async #shut(key: string): Promise<void> {
    const server = this.#doors.get(key)?.server;
    this.#doors.delete(key);
    if (server?.listening !== true) return;
    await new Promise((resolve) => {
      server.close(resolve);
      // Those who are inside keep their connection, but nobody waits for them.
      resolve(undefined);
    });
  }

  #pass(socket: Socket, { service, portName }: Door): void {
    const target = this.#targetOf(service, portName);
    if (target === undefined) {
      socket.resetAndDestroy();
      return;
    }
    const other = connect({ ...target, allowHalfOpen: true });
    other.setTimeout(CONNECT_WITHIN_MS, () => other.destroy());
    other.once('connect', () => other.setTimeout(0));
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(from);
      from.on('error', () => to.resetAndDestroy());
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroySoon();
      });
      from.pipe(to);
    }
  }

  #targetOf(service: Service, portName: string): { host: string; port: number } | undefined {
    const { name, namespace } = service.metadata;
    if (name === 'kubernetes' && namespace === 'default') return { host: NODE_IP, port: this.#deps.apiPort };
    const backends = backendsOf(this.#deps.client, service);
    const backend = backends[this.#turn++ % Math.max(1, backends.length)];
    const port = backend?.ports[portName];
    return backend === undefined || port === undefined ? undefined : { host: backend.ip, port };
  }
}

function problemText({ ip, port }: Door, code: string | undefined): string {
  if (code === 'EADDRINUSE') return `port ${port} of ${ip} is taken by another program of this machine`;
  if (code === 'EACCES') return `port ${port} of ${ip} cannot be listened on: ports below 1024 are for root`;
  return `port ${port} of ${ip} cannot be listened on: ${code ?? 'unknown error'}`;
}
