import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect } from 'node:net';
import { messageOf } from '../../../base/index.ts';
import { drained } from '../../apiserver/connect/index.ts';
import type { Container, Handler, HttpGet, Probe } from '../../controllers/kinds/index.ts';
import type { Conversation } from '../process/index.ts';

/** The container that is asked. */
export interface Probed {
  container: Container;
  podIP: string;
  run(command: readonly string[]): Promise<Conversation>;
}

/** Undefined when all is well, else what is wrong, in the words of a kubelet. */
export type Verdict = string | undefined;

const MAX_OUTPUT = 10 * 1024;

/** Asks once, for no longer than the given time. */
export async function runProbe(probed: Probed, probe: Probe | Handler, timeoutMs: number): Promise<Verdict> {
  const { podIP, container } = probed;
  if (probe.exec !== undefined) return await runCommand(probed, probe.exec.command ?? [], timeoutMs);
  if (probe.httpGet !== undefined) return await ask(probe.httpGet, container, podIP, timeoutMs);
  if (probe.tcpSocket !== undefined) {
    const port = portNumber(probe.tcpSocket.port, container);
    const { host = podIP } = probe.tcpSocket;
    return port === undefined ? noPort(probe.tcpSocket.port) : await knock(host, port, timeoutMs);
  }
  // Nobody on this machine speaks it; a pod must not fail for that.
  return undefined;
}

async function runCommand(probed: Probed, command: readonly string[], timeoutMs: number): Promise<Verdict> {
  const process = await probed.run(command);
  let said = '';
  const keep = (chunk: Buffer): void => {
    if (said.length < MAX_OUTPUT) said += chunk.toString();
  };
  process.output.on('data', keep);
  process.errors?.on('data', keep);
  const ends = Promise.all([closed(process.output), closed(process.errors)]);
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    process.kill();
  }, timeoutMs);
  try {
    const { code } = await process.ended;
    if (isLate) return `command timed out: "${command.join(' ')}" timed out after ${timeoutMs / 1000}s`;
    await drained([process.output, process.errors], ends);
    return code === 0 ? undefined : said.slice(0, MAX_OUTPUT);
  } finally {
    clearTimeout(timer);
  }
}

function closed(stream: Conversation['errors']): Promise<void> {
  return new Promise((resolve) => {
    if (stream === undefined) resolve();
    else stream.once('close', resolve);
  });
}

function ask(get: HttpGet, container: Container, podIP: string, timeoutMs: number): Promise<Verdict> {
  const port = portNumber(get.port, container);
  if (port === undefined) return Promise.resolve(noPort(get.port));
  const { host = podIP, path = '/', scheme = 'HTTP', httpHeaders = [] } = get;
  const url = `${scheme.toLowerCase()}://${host}:${port}${path.startsWith('/') ? path : `/${path}`}`;
  const headers = Object.fromEntries(httpHeaders.map(({ name, value }) => [name, value]));
  const options = { headers: { 'user-agent': 'kube-probe/1.36', ...headers }, agent: false, rejectUnauthorized: false };
  return new Promise((resolve) => {
    const asked = (scheme === 'HTTPS' ? httpsRequest : httpRequest)(url, options, (answer) => {
      const { statusCode: code = 0 } = answer;
      answer.destroy();
      end(code >= 200 && code < 400 ? undefined : `HTTP probe failed with statuscode: ${code}`);
    });
    const timer = setTimeout(() => {
      end(`Get "${url}": context deadline exceeded (Client.Timeout exceeded while awaiting headers)`);
    }, timeoutMs);
    const end = (verdict: Verdict): void => {
      clearTimeout(timer);
      asked.destroy();
      resolve(verdict);
    };
    asked.on('error', (error) => {
      end(`Get "${url}": ${dialText(host, port, error)}`);
    });
    asked.end();
  });
}

function knock(host: string, port: number, timeoutMs: number): Promise<Verdict> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    const end = (verdict: Verdict): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(verdict);
    };
    const timer = setTimeout(() => {
      end(`dial tcp ${host}:${port}: i/o timeout`);
    }, timeoutMs);
    socket.once('connect', () => {
      end(undefined);
    });
    socket.on('error', (error) => {
      end(dialText(host, port, error));
    });
  });
}

function dialText(host: string, port: number, error: unknown): string {
  const { code } = error as NodeJS.ErrnoException;
  const why = code === 'ECONNREFUSED' ? 'connect: connection refused' : messageOf(error);
  return `dial tcp ${host}:${port}: ${why}`;
}

function portNumber(port: number | string, { ports = [] }: Container): number | undefined {
  if (typeof port === 'number') return port;
  return /^\d+$/.test(port) ? Number(port) : ports.find(({ name }) => name === port)?.containerPort;
}

function noPort(port: number | string): string {
  return `couldn't find port: ${JSON.stringify(port)}`;
}
