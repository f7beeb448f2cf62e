import { randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ClusterCertificates, makeCertificates } from './certificates.ts';
import { kubeconfig } from './kubeconfig.ts';
import { type NodeNetwork, reserveNetwork } from './network.ts';
import { reservePort } from './ports.ts';

/** Everything the programs of one cluster share: keys, tokens, ports, and where the files with them are. */
export interface ClusterFiles {
  name: string;
  directory: string;
  certificates: ClusterCertificates;
  token: string;
  server: string;
  /** Where the API server listens: on loopback, or where pods reach it too. */
  address: string;
  /** Set when the cluster has a node. */
  network: NodeNetwork | undefined;
  ports: { etcd: number; peer: number; apiserver: number };
  kubeconfig: string;
  path: (file: string) => string;
}

export async function writeClusterFiles(bedDirectory: string, name: string, nodes: boolean): Promise<ClusterFiles> {
  const directory = join(bedDirectory, name);
  const path = (file: string) => join(directory, file);
  mkdirSync(directory, { recursive: true });
  const [etcd, peer, apiserver] = await Promise.all([reservePort(), reservePort(), reservePort()]);
  const network = nodes ? await reserveNetwork(bedDirectory, name) : undefined;
  const address = network?.host ?? '127.0.0.1';
  const certificates = makeCertificates(name, network);
  const { ca, server, admin, node, serviceAccounts } = certificates;
  const token = randomBytes(24).toString('hex');
  const url = `https://${address}:${apiserver}`;
  const entry = { name, server: url, caPem: ca.certPem };
  const files = {
    'ca.crt': ca.certPem,
    'ca.key': ca.keyPem,
    'server.crt': server.certPem,
    'server.key': server.keyPem,
    'service-accounts.pub': serviceAccounts.publicPem,
    'service-accounts.key': serviceAccounts.privatePem,
    'tokens.csv': `${token},bed-admin,bed-admin,"system:masters"\n`,
    kubeconfig: kubeconfig([{ ...entry, user: { token } }]),
    'admin.crt': admin.certPem,
    'admin.key': admin.keyPem,
    'admin.kubeconfig': kubeconfig([{ ...entry, user: admin }]),
    ...(node && { 'kubelet.kubeconfig': kubeconfig([{ ...entry, user: node }]) }),
  };
  for (const [file, content] of Object.entries(files)) writeFileSync(path(file), content, { mode: 0o600 });
  const ports = { etcd, peer, apiserver };
  const shared = { name, directory, certificates, token, address, network, ports, path };
  return { ...shared, server: url, kubeconfig: path('kubeconfig') };
}
