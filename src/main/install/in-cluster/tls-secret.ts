import { isIPv4 } from 'node:net';
import { SECRET } from '../../../api/index.ts';
import { AppError, isAppError, textAt } from '../../../base/index.ts';
import type { Kube, KubeObject } from '../../../edge/kube/index.ts';
import { certify, newKeyPair, privateKeyPem } from '../../../pocket/apiserver/tls/index.ts';
import { OWN_TLS_SECRET, serviceHosts, type InCluster } from './server-objects.ts';

const DAY_MS = 24 * 3_600_000;
const VALID_MS = 3650 * DAY_MS;
/** Clocks differ. */
const EARLY_MS = DAY_MS;

/** Makes sure that there is a certificate for the page. One that is there stays, whoever made it. */
export async function ensureTlsSecret(
  kube: Kube,
  options: Pick<InCluster, 'namespace' | 'allowedHosts' | 'tlsSecret'>,
  { now, signal }: { now: number; signal: AbortSignal },
): Promise<'made' | 'exists'> {
  const { namespace, tlsSecret: name } = options;
  const found = await readSecret(kube, { namespace, name }, signal);
  if (found !== undefined) {
    if (textAt(found, 'data', 'tls.crt') !== undefined && textAt(found, 'data', 'tls.key') !== undefined)
      return 'exists';
    throw new AppError('invalid', `use Secret ${namespace}/${name} for the page: expected tls.crt and tls.key in it`);
  }
  if (name !== OWN_TLS_SECRET)
    throw new AppError('notFound', `use Secret ${namespace}/${name} for the page: there is none`);
  await kube.create({ type: SECRET, namespace }, tlsSecretObject(options, now), { signal });
  return 'made';
}

async function readSecret(
  kube: Kube,
  at: { namespace: string; name: string },
  signal: AbortSignal,
): Promise<KubeObject | undefined> {
  try {
    return await kube.get({ type: SECRET, ...at }, { signal });
  } catch (error) {
    if (isAppError(error, 'notFound')) return undefined;
    throw error;
  }
}

/** Signed by an authority whose key is thrown away: its certificate is all that anybody has to trust. */
export function tlsSecretObject(
  { namespace, allowedHosts }: Pick<InCluster, 'namespace' | 'allowedHosts'>,
  now: number,
): KubeObject {
  const time = { notBefore: now - EARLY_MS, notAfter: now + VALID_MS };
  const authority = { commonName: `Headway in namespace ${namespace}` };
  const [authorityKeys, keys] = [newKeyPair(), newKeyPair()];
  const issuer = { name: authority, keys: authorityKeys };
  const hosts = [...serviceHosts(namespace), 'localhost', ...allowedHosts];
  const names = {
    dnsNames: hosts.filter((host) => !isIPv4(host)),
    addresses: ['127.0.0.1', ...hosts.filter((host) => isIPv4(host))],
  };
  const ca = certify({ ...authority, ...time, usage: 'ca' }, authorityKeys, issuer);
  const cert = certify({ commonName: hosts[0] ?? '', ...time, ...names, usage: 'server' }, keys, issuer);
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/tls',
    metadata: { name: OWN_TLS_SECRET, namespace, labels: { 'app.kubernetes.io/managed-by': 'headway' } },
    stringData: { 'ca.crt': ca, 'tls.crt': cert + ca, 'tls.key': privateKeyPem(keys) },
  };
}
