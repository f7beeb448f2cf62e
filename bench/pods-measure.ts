/** What bench/pods.ts measures of one cluster, all from outside. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api, type Endpoint } from '../test/contract/api.ts';
import type { Stage } from '../test/contract/case.ts';
import { isReady, node, path, podOf, type PodObject, seen, sh, start } from '../test/contract/cases/pods/objects.ts';
import { talk } from '../test/contract/streams.ts';

export interface Target {
  name: string;
  endpoint: Endpoint;
  kubeconfig: string;
}

export interface Figures {
  readyMs: number;
  execMs: number;
  logMs: number;
  /** Both ways, in MiB a second. */
  copy: number;
}

const PODS = 20;
const EXECS = 40;
const LINES = 300;
const COPIED_MIB = 256;

export async function measure(target: Target, kubectl: string): Promise<Figures> {
  await using api = new Api(target.endpoint);
  const stage = { api, namespace: `bench-${Date.now().toString(36)}` };
  await api.post('/api/v1/namespaces', { metadata: { name: stage.namespace } });
  const forever = podOf(sh('exec sleep 1000000'), {}, { name: 'box' });
  await start(stage, forever, isReady);
  const figures = {
    readyMs: middle(await creations(stage)),
    execMs: middle(await execs(stage)),
    logMs: percentile(await lines(stage), 0.99),
    copy: await copySpeed(stage, target, kubectl),
  };
  await api.delete(`/api/v1/namespaces/${stage.namespace}`);
  return figures;
}

/** So many pods of `sleep` at once: the seconds until the last of them is ready. */
export async function crowd(target: Target, count: number): Promise<number> {
  await using api = new Api(target.endpoint);
  const stage = { api, namespace: 'crowd' };
  await api.post('/api/v1/namespaces', { metadata: { name: stage.namespace } });
  const began = performance.now();
  const names = Array.from({ length: count }, (_, index) => `p${index}`);
  const pod = (name: string) => podOf(sh('exec sleep 1000000'), {}, { name });
  const queue = names.values();
  const creating = Array.from({ length: 16 }, async () => {
    for (const name of queue) await api.post(`/api/v1/namespaces/${stage.namespace}/pods`, pod(name));
  });
  await Promise.all(creating);
  const ready = new Set<string>();
  const query = { resourceVersion: '0', timeoutSeconds: '300' };
  for await (const event of api.watch(`/api/v1/namespaces/${stage.namespace}/pods`, query)) {
    const { object } = event as { object: PodObject };
    if (isReady(object)) ready.add(object.metadata.name);
    if (ready.size === count) break;
  }
  return (performance.now() - began) / 1000;
}

async function creations(stage: Stage): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < PODS; index += 1) {
    const pod = podOf(sh('exec sleep 1000000'), {}, { name: `ready-${index}` });
    const began = performance.now();
    await start(stage, pod, isReady);
    times.push(performance.now() - began);
  }
  return times;
}

async function execs(stage: Stage): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < EXECS; index += 1) {
    const began = performance.now();
    await talk(stage.api, path(stage, 'box', 'exec'), { command: ['true'] });
    times.push(performance.now() - began);
  }
  return times;
}

/** How old lines are when they are read, by the one clock of this machine. */
async function lines(stage: Stage): Promise<number[]> {
  const script = 'setInterval(() => console.log(Date.now()), 20)';
  await stage.api.post(`/api/v1/namespaces/${stage.namespace}/pods`, podOf(node(script), {}, { name: 'lines' }));
  await seen(stage, isReady, 'lines');
  const ages: number[] = [];
  let rest = '';
  for await (const piece of stage.api.stream(path(stage, 'lines', 'log'), { follow: 'true', sinceSeconds: '1' })) {
    const whole = (rest + piece).split('\n');
    rest = whole.pop() ?? '';
    const now = Date.now();
    ages.push(...whole.map((line) => now - Number(line)));
    // The first ones were there before anybody read.
    if (ages.length > LINES + 100) break;
  }
  return ages.slice(100);
}

async function copySpeed({ namespace }: Stage, { kubeconfig }: Target, kubectl: string): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'headway-bench-copy-'));
  const file = join(dir, 'file');
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const child = spawn(program, args, { env: { ...process.env, KUBECONFIG: kubeconfig }, stdio: 'ignore' });
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
  };
  try {
    await run('sh', '-c', `head -c ${COPIED_MIB * 1024 * 1024} /dev/urandom >${file}`);
    const began = performance.now();
    await run(kubectl, 'cp', file, `${namespace}/box:/tmp/file`);
    await run(kubectl, 'cp', `${namespace}/box:/tmp/file`, `${file}.back`);
    return (2 * COPIED_MIB * 1000) / (performance.now() - began);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? NaN;
}

const middle = (values: readonly number[]): number => percentile(values, 0.5);
