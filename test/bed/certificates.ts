import { generateKeyPairSync } from 'node:crypto';
import type { NodeNetwork } from './network.ts';
import { makeAuthority, type PemPair } from '../scripted-server/certificates.ts';

export interface Pair {
  certPem: string;
  keyPem: string;
}

export interface ClusterCertificates {
  ca: Pair;
  server: Pair;
  /** A client certificate of the group system:masters. */
  admin: Pair;
  /** The kubelet's, where the cluster has a node. */
  node?: Pair;
  /** Signs service account tokens. */
  serviceAccounts: { publicPem: string; privatePem: string };
}

const SERVER_NAMES = ['127.0.0.1', 'localhost', 'kubernetes', 'kubernetes.default.svc'];

/** Fresh keys and certificates for one cluster; nothing outside the bed trusts them. With a node, also for its addresses. */
export function makeCertificates(clusterName: string, network?: NodeNetwork): ClusterCertificates {
  const authority = makeAuthority(`${clusterName} certificate authority`);
  const hosts = [...SERVER_NAMES, ...(network ? [network.host, network.service] : [])];
  const node = { commonName: `system:node:${clusterName}`, organization: 'system:nodes' };
  const accounts = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return {
    ca: pair(authority),
    server: pair(authority.issue({ commonName: 'kube-apiserver', hosts })),
    admin: pair(authority.issue({ commonName: 'bed-admin', organization: 'system:masters' })),
    ...(network && { node: pair(authority.issue(node)) }),
    serviceAccounts: {
      publicPem: accounts.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      privatePem: accounts.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    },
  };
}

function pair({ cert, key }: PemPair): Pair {
  return { certPem: cert, keyPem: key };
}
