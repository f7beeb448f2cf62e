import { WebSocketServer, type WebSocket } from 'ws';
import type { ScriptedServer } from './scripted-server/index.ts';

/** The server's end of an exec: what a kubelet may do. */
export interface ExecPeer {
  socket: WebSocket;
  url: URL;
  authorization: string | undefined;
  send: (channel: number, data: string | Uint8Array) => Promise<void>;
  /** The status and the closing handshake. */
  exit: (code: number) => Promise<void>;
}

/** Makes a scripted server speak exec; `protocol` is the one it picks from what the client offers. */
export function onExec(
  server: ScriptedServer,
  protocol: 'v5.channel.k8s.io' | 'v4.channel.k8s.io',
  behave: (peer: ExecPeer) => void | Promise<void>,
): void {
  const sockets = new WebSocketServer({
    noServer: true,
    handleProtocols: (offered) => (offered.has(protocol) ? protocol : false),
  });
  server.http.on('upgrade', (request, raw, head) => {
    sockets.handleUpgrade(request, raw, head, (socket) => {
      const send = (channel: number, data: string | Uint8Array): Promise<void> =>
        new Promise((resolve) => {
          socket.send(Buffer.concat([Uint8Array.of(channel), Buffer.from(data)]), { binary: true }, () => {
            resolve();
          });
        });
      const exit = async (code: number): Promise<void> => {
        await send(3, JSON.stringify(code === 0 ? { metadata: {}, status: 'Success' } : failure(code)));
        socket.close(1000);
      };
      const url = new URL(request.url ?? '/', 'http://scripted');
      void behave({ socket, url, authorization: request.headers.authorization, send, exit });
    });
  });
}

function failure(code: number): unknown {
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${String(code)}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}
