import { ServerResponse, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer } from 'ws';
import { badRequest } from '../errors/index.ts';
import type { Accepted, Upgrade } from './exchange.ts';

/** Kubernetes' clients send at most 32 kB at a time. */
const MAX_MESSAGE = 16 * 1024 * 1024;

/** A request for another protocol: it is answered like any other, or its connection goes on as a websocket. */
export interface UpgradeRequest {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

/** An ordinary answer on the connection of such a request; nothing comes after it. */
export function plainResponse({ request, socket }: UpgradeRequest): ServerResponse {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
  response.on('finish', () => {
    response.detachSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
    socket.end();
  });
  return response;
}

export function upgradeTo(upgrade: UpgradeRequest, response: ServerResponse): Upgrade {
  const { request, socket, head } = upgrade;
  return {
    wanted: (request.headers.upgrade ?? '').toLowerCase(),
    accept: (protocols) => {
      const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((one) => one.trim());
      const chosen = protocols.find((protocol) => offered.includes(protocol));
      if (chosen === undefined && offered.some((one) => one !== '')) {
        throw badRequest(`none of the protocols is spoken here: ${offered.join(', ').slice(0, 200)}`);
      }
      const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, maxPayload: MAX_MESSAGE });
      // One of kubectl's protocols has a slash in its name, which `ws` takes for an error: we choose, and it must not look.
      delete request.headers['sec-websocket-protocol'];
      server.on('headers', (headers) => {
        if (chosen !== undefined) headers.push(`Sec-WebSocket-Protocol: ${chosen}`);
      });
      response.detachSocket(socket as Parameters<ServerResponse['assignSocket']>[0]);
      return new Promise<Accepted>((resolve, reject) => {
        socket.once('close', () => {
          reject(badRequest('the client has gone'));
        });
        server.handleUpgrade(request, socket, head, (opened) => {
          opened.binaryType = 'nodebuffer';
          resolve({ socket: opened, protocol: chosen ?? '' });
        });
      });
    },
  };
}
