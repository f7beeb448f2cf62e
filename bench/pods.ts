/**
 * How fast pods of a pocket cluster are, and those of a real kubelet in the same run.
 * Without a bed with nodes only pocket is measured, and what compares the two is named and left out. Exits 1 when a
 * target is missed.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { bed, needs, needsBed } from '../test/bed/index.ts';
import { programPath } from '../test/bed/cache.ts';
import { partNamed } from '../test/bed/parts.ts';
import { startPods } from '../test/pocket/pods-process.ts';
import { crowd, measure, type Figures } from './pods-measure.ts';

const CROWD = 200;

interface PocketFigures extends Figures {
  crowdSeconds: number;
  crowdMb: number;
}

async function pocketFigures(kubectl: string): Promise<PocketFigures> {
  await using server = await startPods();
  const target = { name: 'pocket', endpoint: server.endpoint, kubeconfig: join(server.dir, 'kubeconfig') };
  console.log(`pocket: ${server.pods}`);
  const figures = await measure(target, kubectl);
  const crowdSeconds = await crowd(target, CROWD);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${server.child.pid ?? 0}/status`, 'utf8')) ?? [];
  return { ...figures, crowdSeconds, crowdMb: Number(kilobytes) / 1024 };
}

async function kubeletFigures(kubectl: string): Promise<Figures | undefined> {
  const need = needsBed({ clusters: 1, nodes: true });
  if (need.missing) {
    console.log(need.title('kubelet'));
    return undefined;
  }
  await using running = await bed({ clusters: 1, nodes: true });
  const [cluster] = running.clusters;
  if (cluster?.node === undefined) throw new Error('the bed has no node');
  await cluster.node.load('headway');
  const endpoint = { server: cluster.server, caPem: cluster.caPem, token: cluster.token };
  return await measure({ name: 'kubelet', endpoint, kubeconfig: cluster.kubeconfig }, kubectl);
}

if (needs('kubectl').missing) throw new Error(needs('kubectl').title('bench pods'));
const kubectl = programPath(partNamed('kubectl'));
const pocket = await pocketFigures(kubectl);
const kubelet = await kubeletFigures(kubectl);

const round = (value: number | undefined): number | string =>
  value === undefined ? 'not measured' : Math.round(value);
const compared = (isMet: (real: Figures) => boolean): boolean | string =>
  kubelet === undefined ? 'not measured' : isMet(kubelet);
const rows = [
  {
    name: 'create to ready, p50, ms',
    pocket: round(pocket.readyMs),
    kubelet: round(kubelet?.readyMs),
    limit: "half of the kubelet's",
    isMet: compared(({ readyMs }) => pocket.readyMs <= readyMs / 2),
  },
  {
    name: `${CROWD} pods ready, s`,
    pocket: round(pocket.crowdSeconds),
    kubelet: '',
    limit: '<= 60',
    isMet: pocket.crowdSeconds <= 60,
  },
  {
    name: `memory with ${CROWD} pods, MB`,
    pocket: round(pocket.crowdMb),
    kubelet: '',
    limit: '<= 400',
    isMet: pocket.crowdMb <= 400,
  },
  {
    name: 'exec, p50, ms',
    pocket: round(pocket.execMs),
    kubelet: round(kubelet?.execMs),
    limit: '<= 80',
    isMet: pocket.execMs <= 80,
  },
  {
    name: 'log line to reader, p99, ms',
    pocket: round(pocket.logMs),
    kubelet: round(kubelet?.logMs),
    limit: '<= 300',
    isMet: pocket.logMs <= 300,
  },
  {
    name: 'kubectl cp both ways, MiB/s',
    pocket: round(pocket.copy),
    kubelet: round(kubelet?.copy),
    limit: "half of the kubelet's",
    isMet: compared(({ copy }) => pocket.copy >= copy / 2),
  },
];
console.table(rows);
process.exitCode = rows.some(({ isMet }) => isMet === false) ? 1 : 0;
