/**
 * The server of bench/client.ts in a process of its own: one ConfigMap, and a list of any number of them made page by
 * page. Speaks http and https and prints where.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { makeAuthority } from '../test/scripted-server/index.ts';

function configMap(name: string): Record<string, unknown> {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'bench', uid: 'f3a4b1c0-0000-4000-8000-000000000000', resourceVersion: '12345' },
    data: { key: 'some value of usual length' },
  };
}
const ONE = JSON.stringify(configMap('one'));

/** `limit` items from `continue` on, `total` in all, each with about 570 bytes. */
function page(query: URLSearchParams): string {
  const total = Number(query.get('labelSelector')?.replace('total=', '') ?? '0');
  const start = Number(query.get('continue') ?? '0');
  const end = Math.min(total, start + Number(query.get('limit')));
  const items = Array.from({ length: end - start }, (_, i) => ({
    ...configMap(`cm-${String(start + i)}`),
    data: Object.fromEntries(Array.from({ length: 6 }, (_value, n) => [`key-${String(n)}`, 'some value '.repeat(5)])),
  }));
  const more = end < total ? { continue: String(end), remainingItemCount: total - end } : {};
  return JSON.stringify({
    kind: 'ConfigMapList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '99', ...more },
    items,
  });
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://bench');
  const body = url.searchParams.has('limit') ? page(url.searchParams) : ONE;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const authority = makeAuthority();
const http = await listen(createServer({ keepAliveTimeout: 60_000 }, answer));
const https = await listen(
  createTlsServer(
    { ...authority.issue({ commonName: 'bench', hosts: ['127.0.0.1'] }), keepAliveTimeout: 60_000 },
    answer,
  ),
);
console.log(JSON.stringify({ http: `http://${http}`, https: `https://${https}`, ca: authority.ca }));
// Ends with the process that started it, however that ends.
process.stdin.resume().on('end', () => process.exit(0));
