import { AppError } from '../../../base/index.ts';
import type { TlsSettings } from './connection.ts';
import type { Entry } from './kubeconfig-file.ts';
import { readPem } from './pem.ts';
import { requireProxyUrl } from './proxy.ts';

interface Cluster {
  server: string;
  tls: TlsSettings;
  proxy?: string;
  compress?: boolean;
}

export async function readCluster(cluster: Entry, label: string): Promise<Cluster> {
  const { fields } = cluster;
  const server = requireServer(fields.text('server'), `server of ${fields.where}`);
  const ca = await readPem(cluster, 'certificate-authority', label);
  const insecure = fields.flag('insecure-skip-tls-verify');
  if (insecure && ca !== undefined) {
    throw new AppError(
      'invalidConfig',
      `${fields.where} has both insecure-skip-tls-verify and a certificate-authority`,
    );
  }
  const serverName = fields.text('tls-server-name');
  const proxy = fields.text('proxy-url');
  return {
    server: server.replace(/\/+$/, ''),
    tls: { insecure, ...(ca === undefined ? {} : { ca }), ...(serverName === undefined ? {} : { serverName }) },
    ...(fields.flag('disable-compression') ? { compress: false } : {}),
    ...(proxy === undefined ? {} : { proxy: requireProxyUrl(proxy, `proxy-url of ${fields.where}`) }),
  };
}

function requireServer(text: string | undefined, where: string): string {
  const expected = 'expected a URL that starts with http:// or https://';
  if (text === undefined) throw new AppError('invalidConfig', `${where} is missing, ${expected}`);
  // It would be useless, and would appear in every message.
  if (/^[^/]*(?:\/\/)?[^/]*@/.test(text)) {
    throw new AppError(
      'invalidConfig',
      `${where} holds a name or password, ${expected}; those belong to the user entry`,
    );
  }
  // kubectl assumes http for a server without a scheme.
  const url = URL.parse(text.includes('://') ? text : `http://${text}`);
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new AppError('invalidConfig', `${where} is "${text}", ${expected}`);
  }
  return url.href;
}
