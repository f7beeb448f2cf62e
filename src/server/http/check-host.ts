import type { IncomingMessage } from 'node:http';
import { AppError } from '../../base/index.ts';

const LOOPBACK = ['localhost', '127.0.0.1', '::1'];

/**
 * A page of a stranger can make its own name point at us, and would then be of the same origin; only names that are ours
 * are answered, whatever else the request carries. The address that the connection came in at is ours as well: a page
 * that has it for a name was served from there. The port is not looked at: a port-forward changes it, and a stranger's
 * name does not become ours by it.
 */
export function checkHost(request: IncomingMessage, hosts: readonly string[]): void {
  const [, name = ''] = /^(\[[^\]]+\]|[^:[\]]+)(?::\d*)?$/.exec(request.headers.host ?? '') ?? [];
  const host = plainName(name);
  const ours = [...LOOPBACK, ...hosts, request.socket.localAddress ?? ''].map(plainName);
  if (host !== '' && ours.includes(host)) return;
  throw new AppError(
    'forbidden',
    `answer to host ${JSON.stringify(host.slice(0, 200))}: it is no name of this server`,
    {
      details: { hint: 'Start the server with --allowed-hosts and every name under which it is reached' },
    },
  );
}

/** A change that another site's page asks for is refused, whatever it carries. */
export function checkOrigin(request: IncomingMessage): void {
  const { origin, host, 'sec-fetch-site': site } = request.headers;
  const foreign = new AppError('forbidden', 'the request comes from a page of another site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw foreign;
  if (origin === undefined) return;
  if (!URL.canParse(origin) || new URL(origin).host !== host?.toLowerCase()) throw foreign;
}

/** Without the brackets of an IPv6 address, and the dot at the end of a full name. */
function plainName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/^\[|\]$|\.$/g, '');
  return plain.replace(/^::ffff:(?=\d+\.)/, '');
}
