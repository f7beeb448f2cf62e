import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, messageOf, type Clock } from '../../../base/index.ts';
import type { Connection } from './connection.ts';
import { tokenFileCredential } from './credentials.ts';
import { proxyFromEnvironment, type Environment } from './proxy.ts';

const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

export function isInCluster(env: Environment): boolean {
  return (env['KUBERNETES_SERVICE_HOST'] ?? '') !== '' && (env['KUBERNETES_SERVICE_PORT'] ?? '') !== '';
}

/** The connection that every pod has; the kubelet replaces its token about every hour. */
export async function inClusterConnection(
  deps: { clock: Clock; env: Environment },
  directory: string = SERVICE_ACCOUNT_DIR,
): Promise<Connection> {
  const host = deps.env['KUBERNETES_SERVICE_HOST'] ?? '';
  const port = deps.env['KUBERNETES_SERVICE_PORT'] ?? '';
  const label = `the service account of this pod (${directory})`;
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  const [ca, namespace] = await Promise.all([
    readPart(join(directory, 'ca.crt'), label),
    readPart(join(directory, 'namespace'), label),
  ]);
  const proxy = proxyFromEnvironment(new URL(server), deps.env);
  return {
    label,
    server,
    namespace: namespace.trim(),
    tls: { ca, insecure: false },
    credentials: tokenFileCredential(deps.clock, { path: join(directory, 'token'), label }),
    headers: {},
    compress: false,
    ...(proxy === undefined ? {} : { proxy }),
  };
}

async function readPart(path: string, label: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new AppError('invalidConfig', `cannot read ${path} of ${label}: ${messageOf(error)}`, { cause: error });
  }
}
