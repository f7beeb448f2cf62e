import { existsSync, writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { AppError } from '../../base/index.ts';
import type { Connection } from '../../edge/kube/index.ts';

/** Asked before anything is changed in the cluster. A kubeconfig that somebody uses must not be overwritten. */
export function refuseExisting(file: string): void {
  if (!existsSync(file)) return;
  throw new AppError('alreadyExists', `${file} exists already, and is not overwritten`, {
    details: { hint: 'Delete it first, or give another name to --server-kubeconfig' },
  });
}

/**
 * The same cluster, known by a token. The context keeps its name, so that commands that use the administrator's
 * kubeconfig recognize the cluster that the server serves.
 */
export function writeKubeconfig(file: string, { connection, token }: { connection: Connection; token: string }): void {
  const { server, tls, proxy, context: name = 'headway' } = connection;
  const cluster = {
    server,
    ...(tls.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(tls.ca).toString('base64') }),
    ...(tls.insecure ? { 'insecure-skip-tls-verify': true } : {}),
    ...(tls.serverName === undefined ? {} : { 'tls-server-name': tls.serverName }),
    ...(proxy === undefined ? {} : { 'proxy-url': proxy }),
  };
  const document = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster }],
    users: [{ name: 'headway', user: { token } }],
    contexts: [{ name, context: { cluster: name, user: 'headway' } }],
  };
  writeFileSync(file, stringify(document), { mode: 0o600, flag: 'wx' });
}
