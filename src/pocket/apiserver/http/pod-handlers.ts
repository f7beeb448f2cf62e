import type { ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { ApiServer } from '../api-server.ts';
import {
  carryPorts,
  carryTalk,
  CHANNEL_PROTOCOLS,
  chooseContainer,
  logQuery,
  PortTunnel,
  TUNNEL_PROTOCOL,
  type PodConnections,
} from '../connect/index.ts';
import { badRequest, kubeletError, methodNotAllowed, notFound, statusError } from '../errors/index.ts';
import { scalarTextAt, type ApiObject } from '../object/index.ts';
import { isTrue } from '../watch/index.ts';
import type { Answer } from './answer.ts';
import type { Exchange, Upgrade } from './exchange.ts';
import type { Target } from './target.ts';

const MAX_PORTS = 16;

/** What a container said, and says from now on if the client wants that. */
export async function podLog(server: ApiServer, target: Target, exchange: Exchange): Promise<Answer | undefined> {
  const { request, response, query } = exchange;
  if (request.method !== 'GET') throw methodNotAllowed();
  const options = logQuery(query, target.name);
  const pod = podOf(server, target);
  const container = chooseContainer(pod, query.get('container') ?? '');
  if (scalarTextAt(pod, 'spec', 'nodeName') === '') {
    response.writeHead(204);
    response.end();
    return undefined;
  }
  const leaving = new AbortController();
  response.on('close', () => {
    leaving.abort();
  });
  const pieces = await connectionsOf(server, target, 'log').log(pod, container, options, leaving.signal);
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache, private' });
  response.flushHeaders();
  for await (const piece of pieces) if (!(await write(response, piece))) return undefined;
  response.end();
  return undefined;
}

/** False when the client has gone. */
async function write(response: ServerResponse, piece: Buffer): Promise<boolean> {
  if (response.destroyed) return false;
  if (response.write(piece)) return true;
  await Promise.race([once(response, 'drain'), once(response, 'close')]);
  return !response.destroyed;
}

/** A command in a container, or a container's own input and output. */
export async function podTalk(
  server: ApiServer,
  target: Target,
  exchange: Exchange,
  kind: 'exec' | 'attach',
): Promise<undefined> {
  const { query } = exchange;
  const pod = podOf(server, target);
  const container = chooseContainer(pod, query.get('container') ?? '');
  mustHaveNode(pod);
  const connections = connectionsOf(server, target, kind);
  const asked = (name: string): boolean => isTrue(query.get(name));
  const command = kind === 'exec' ? query.getAll('command') : [];
  const isTerminal = asked('tty');
  // On a terminal there is only one output.
  const streams = { output: asked('stdout'), errors: asked('stderr') && !isTerminal, command };
  const upgrade = upgradeOf(exchange);
  if (!streams.output && !streams.errors && !asked('stdin')) {
    throw kubeletError(400, 'you must specify at least 1 of stdin, stdout, stderr');
  }
  const options = { hasInput: asked('stdin'), isTerminal };
  const talk =
    kind === 'exec'
      ? await connections.exec(pod, container, { ...options, command })
      : await connections.attach(pod, container, options);
  try {
    const { socket, protocol } = await websocketOf(upgrade).accept(CHANNEL_PROTOCOLS);
    void carryTalk(socket, talk, { ...streams, protocol });
  } catch (error) {
    talk.leave();
    throw error;
  }
  return undefined;
}

/** Connections to ports of a pod. */
export async function podPorts(server: ApiServer, target: Target, exchange: Exchange): Promise<undefined> {
  const pod = podOf(server, target);
  mustHaveNode(pod);
  const connections = connectionsOf(server, target, 'portforward');
  const upgrade = upgradeOf(exchange);
  const connect = connections.ports(pod);
  const { socket, protocol } = await websocketOf(upgrade).accept([TUNNEL_PROTOCOL, ...CHANNEL_PROTOCOLS]);
  if (protocol === TUNNEL_PROTOCOL) new PortTunnel(socket, connect);
  else void carryPorts(socket, portsOf(exchange.query), connect);
  return undefined;
}

function portsOf(query: URLSearchParams): number[] {
  const ports = query
    .getAll('ports')
    .flatMap((text) => text.split(','))
    .map(Number);
  return ports.filter((port) => Number.isInteger(port) && port > 0 && port < 65_536).slice(0, MAX_PORTS);
}

function podOf(server: ApiServer, { resource, namespace, name }: Target): ApiObject {
  const stored = server.store.read(resource.storage, namespace, name);
  if (stored === undefined) throw notFound(resource, name);
  return stored.object;
}

function mustHaveNode(pod: ApiObject): void {
  if (scalarTextAt(pod, 'spec', 'nodeName') !== '') return;
  throw badRequest(`pod ${pod.metadata.name} does not have a host assigned`);
}

function upgradeOf({ upgrade }: Exchange): Upgrade {
  if (upgrade === undefined) throw badRequest('Upgrade request required');
  return upgrade;
}

/** Asked last, so that a client that falls back to SPDY hears what is really wrong. */
function websocketOf(upgrade: Upgrade): Upgrade {
  if (upgrade.wanted === 'websocket') return upgrade;
  throw badRequest(
    `a pocket cluster speaks websockets only, not ${upgrade.wanted.slice(0, 50)}: use kubectl 1.31 or newer`,
  );
}

function connectionsOf(server: ApiServer, { resource, name }: Target, subresource: string): PodConnections {
  if (server.connections !== undefined) return server.connections;
  throw statusError('unsupported', {
    code: 501,
    reason: 'NotImplemented',
    message: `${resource.plural} "${name}" has no ${subresource}: pods of this pocket cluster are simulated`,
    details: { name, kind: resource.plural },
  });
}
