import { createServer } from 'node:net';
import type { Container } from '../../controllers/kinds/index.ts';

/** A port that a container says it will listen on and that somebody has already; undefined when all are free. */
export async function takenPort({ ports = [] }: Container, podIP: string): Promise<number | undefined> {
  for (const { containerPort, protocol = 'TCP' } of ports) {
    if (protocol === 'TCP' && (await isTaken(podIP, containerPort))) return containerPort;
  }
  return undefined;
}

/** Only that somebody else has it counts: whoever may not listen there finds out by himself. */
function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(error.code === 'EADDRINUSE');
    });
    server.listen({ host, port, exclusive: true }, () => {
      server.close(() => {
        resolve(false);
      });
    });
  });
}
