import { readFileSync, writeFileSync } from 'node:fs';
import { parse, stringify } from 'yaml';
import { FaultLine } from './fault-line.ts';

/** A line to the cluster of a kubeconfig; writes another kubeconfig that leads through it, context `line`. */
export async function lineToCluster(kubeconfig: string, through: string): Promise<FaultLine> {
  const config = readKubeconfig(kubeconfig);
  const line = await FaultLine.to(config.server, { ca: config.ca });
  writeFileSync(through, throughLine(line.url, config.token), { mode: 0o600 });
  return line;
}

function readKubeconfig(path: string): { server: string; ca: string; token: string } {
  const config = parse(readFileSync(path, 'utf8')) as {
    clusters: { cluster: { server: string; 'certificate-authority-data': string } }[];
    users: { user: { token: string } }[];
  };
  const { server, 'certificate-authority-data': ca } = config.clusters[0]!.cluster;
  return { server, ca: Buffer.from(ca, 'base64').toString(), token: config.users[0]!.user.token };
}

function throughLine(server: string, token: string): string {
  const name = 'line';
  return stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': name,
    clusters: [{ name, cluster: { server } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    users: [{ name, user: { token } }],
  });
}
