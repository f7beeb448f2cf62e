import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { stringify } from 'yaml';
import { type Bed, bed, needsBed, run } from '../bed/index.ts';
import { machineName } from '../bed/machine.ts';
import { markedProcesses, stopProcesses } from '../bed/processes.ts';
import { scratch, type Scratch } from '../bed/scratch.ts';
import { readState } from '../bed/state.ts';
import { type Traces, tracesOf } from '../bed/traces.ts';
import { eventually } from '../eventually.ts';

const need = needsBed({ clusters: 2, nodes: true, s3: true });
const TIMEOUT_MS = 120_000;
const ROOT = join(import.meta.dirname, '..', '..');
const NONE: Traces = { processes: [], mounts: [], links: [], routes: [], rules: [], cgroups: [] };

/** A kubelet sets these for the machine it is on, which is not ours alone. */
const TUNABLES = ['vm/overcommit_memory', 'vm/panic_on_oom', 'kernel/panic', 'kernel/panic_on_oops'];
const tunables = () => TUNABLES.map((name) => readFileSync(`/proc/sys/${name}`, 'utf8'));

/** The range of a cluster whose API server is at its first address. */
const rangeOf = ({ server }: { server: string }) => `${/10\.\d+\./.exec(server)?.[0] ?? ''}0.0/16`;

const pod = (name: string, script: string, more: object = {}, container: object = {}) =>
  stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'c', image: 'busybox:1', command: ['sh', '-c', script], ...container }],
      ...more,
    },
  });

describe.skipIf(need.missing)(need.title('a bed with nodes'), { timeout: TIMEOUT_MS }, () => {
  let place: Scratch;
  let b: Bed;
  let upMs: number;
  const before = tunables();
  const kubectl = async (cluster: number, args: string[], input?: string) =>
    await run(b.bin('kubectl'), {
      args: ['--kubeconfig', b.clusters[cluster]!.kubeconfig, ...args],
      ...(input !== undefined && { input }),
    });
  /** Runs a pod to its end, and returns what it said. */
  const saying = async (cluster: number, name: string, manifest: string) => {
    await kubectl(cluster, ['apply', '-f', '-'], manifest);
    await kubectl(cluster, ['wait', `pod/${name}`, '--for=jsonpath={.status.phase}=Succeeded', '--timeout=30s']);
    return await kubectl(cluster, ['logs', name]);
  };

  beforeAll(async () => {
    place = scratch();
    vi.stubEnv('HEADWAY_BED_HOME', place.directory);
    const started = Date.now();
    b = await bed({ clusters: 2, nodes: true, s3: true });
    upMs = Date.now() - started;
  }, TIMEOUT_MS);
  afterAll(async () => {
    const ranges = b.clusters.map(rangeOf);
    await b[Symbol.asyncDispose]();
    expect(await tracesOf(b.directory, ranges)).toEqual(NONE);
    expect(readdirSync(place.directory)).toEqual([]);
    place[Symbol.dispose]();
    vi.unstubAllEnvs();
  });

  it('is up in time', () => {
    expect(upMs).toBeLessThan(50_000);
  });

  it('runs pods that reach their API server, the store, and no name', async () => {
    const { server } = b.clusters[1]!;
    const store = new URL(b.s3!.endpoint);
    const reaches = (host: string, port: string) =>
      `nc -w 2 ${host} ${port} </dev/null >/dev/null 2>&1 && echo reached`;
    const script = [
      reaches('$KUBERNETES_SERVICE_HOST', '$KUBERNETES_SERVICE_PORT'),
      reaches(new URL(server).hostname, new URL(server).port),
      reaches(store.hostname, store.port),
      'nslookup example.com >/dev/null 2>&1 || echo nameless',
    ].join('; ');
    // The store is the first cluster's neighbour, and the second's pods reach it all the same.
    expect(await saying(1, 'reach', pod('reach', script))).toBe('reached\nreached\nreached\nnameless\n');
    const endpoints = await kubectl(1, [
      'get',
      'endpointslices',
      '-o',
      'jsonpath={.items[*].endpoints[*].addresses[*]}',
    ]);
    expect(endpoints).toBe(new URL(server).hostname);
  });

  it('keeps the clusters apart', async () => {
    const services = await Promise.all(
      [0, 1].map((cluster) => kubectl(cluster, ['get', 'service', 'kubernetes', '-o', 'jsonpath={.spec.clusterIP}'])),
    );
    const addresses = await Promise.all(
      [0, 1].map(async (cluster) => await saying(cluster, 'where', pod('where', 'hostname -i'))),
    );
    expect(new Set([...services, ...addresses]).size).toBe(4);
    expect(rangeOf(b.clusters[0]!)).not.toBe(rangeOf(b.clusters[1]!));
    expect(b.clusters.map(({ node }) => node?.name)).toEqual(['bed-1', 'bed-2']);
  });

  it('makes volumes, as folders that tests can look into', async () => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } },
    };
    await kubectl(0, ['apply', '-f', '-'], stringify(claim));
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'data' } }];
    const mounted = { volumeMounts: [{ name: 'v', mountPath: '/v' }] };
    await saying(0, 'writer', pod('writer', 'echo kept >/v/file', { volumes }, mounted));
    const { volumes: folder } = b.clusters[0]!.node!;
    const [only] = readdirSync(folder);
    expect(readFileSync(join(folder, only!, 'file'), 'utf8')).toBe('kept\n');
    await kubectl(0, ['delete', 'pod/writer', 'pvc/data', '--timeout=30s']);
    await eventually(() => {
      expect(readdirSync(folder)).toEqual([]);
    });
  });

  it("runs Headway's image where only the restricted may run", async () => {
    await b.clusters[0]!.node!.load('headway');
    const restricted = { name: 'strict', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } };
    await kubectl(0, ['apply', '-f', '-'], stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: restricted }));
    const script = `id -u; headway --version; node --version; kando --version; for program in kopia restic rsync bash tar; do
      which $program; done; which kando; ls /opt/headway/dist/web/index.html /etc/ssl/certs/ca-certificates.crt; echo $PATH`;
    const securityContext = {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    };
    const spec = { securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } } };
    const manifest = pod('headway', script, spec, { image: 'headway:dev', securityContext });
    await eventually(async () => await kubectl(0, ['apply', '-n', 'strict', '-f', '-'], manifest));
    await kubectl(0, [
      ...['wait', '-n', 'strict', 'pod/headway'],
      ...['--for=jsonpath={.status.phase}=Succeeded', '--timeout=30s'],
    ]);
    expect((await kubectl(0, ['logs', '-n', 'strict', 'headway'])).split('\n')).toEqual([
      '65532',
      '0.1.0',
      expect.stringMatching(/^v24\./),
      'kando of Headway 0.1.0',
      ...['/usr/local/bin/kopia', '/usr/local/bin/restic', '/usr/bin/rsync', '/usr/bin/bash', '/usr/bin/tar'],
      '/opt/headway/commands/kando',
      ...['/etc/ssl/certs/ca-certificates.crt', '/opt/headway/dist/web/index.html'],
      expect.stringMatching(/^\/opt\/headway\/commands:\/opt\/headway\/bin:/),
      '',
    ]);
  });

  it('goes on when its kubelet was gone for a while', async () => {
    const node = b.clusters[0]!.node!;
    await kubectl(0, ['apply', '-f', '-'], pod('stays', 'sleep 1000'));
    await kubectl(0, ['wait', 'pod/stays', '--for=condition=Ready', '--timeout=30s']);
    await node.stopKubelet();
    await expect(kubectl(0, ['exec', 'stays', '--', 'true'])).rejects.toThrow();
    await node.startKubelet();
    await eventually(async () => await kubectl(0, ['exec', 'stays', '--', 'true']), { withinMs: 20_000 });
    const restarts = ['get', 'pod', 'stays', '-o', 'jsonpath={.status.containerStatuses[0].restartCount}'];
    expect(await kubectl(0, restarts)).toBe('0');
  });

  it('shows on the machine as links, cgroups and processes, and as nothing else', async () => {
    await saying(0, 'seen', pod('seen', 'echo hi'));
    const traces = await tracesOf(b.directory, b.clusters.map(rangeOf));
    expect(traces.links).toHaveLength(2);
    expect(traces.cgroups.length).toBeGreaterThanOrEqual(2);
    expect(traces.routes).toHaveLength(4);
    expect(traces.processes.length).toBeGreaterThan(12);
    expect([traces.mounts, traces.rules]).toEqual([[], []]);
    expect(existsSync('/tmp/hostpath_pv')).toBe(false);
    expect(tunables()).toEqual(before);
  });
});

/** A process of its own with a bed on one node, on which a pod runs that does not listen to signals. */
async function startedApart(place: Scratch) {
  const library = JSON.stringify(join(ROOT, 'test', 'bed', 'index.ts'));
  const script = `
    import { bed, run } from ${library};
    const b = await bed({ clusters: 1, nodes: true });
    const [{ kubeconfig, server }] = b.clusters;
    const kubectl = (args, input) => run(b.bin('kubectl'), { args: ['--kubeconfig', kubeconfig, ...args], input });
    await kubectl(['apply', '-f', '-'], ${JSON.stringify(pod('stubborn', 'trap "" TERM; sleep 1000'))});
    await kubectl(['wait', 'pod/stubborn', '--for=condition=Ready', '--timeout=60s']);
    console.log(JSON.stringify({ directory: b.directory, server }));
    process.stdin.resume();`;
  const starter = place.start(process.execPath, ['--input-type=module', '-e', script], {
    HEADWAY_BED_HOME: place.directory,
  });
  const [line] = (await once(starter.stdout!, 'data', { signal: AbortSignal.timeout(TIMEOUT_MS) })) as [Buffer];
  const { directory, server } = JSON.parse(line.toString()) as { directory: string; server: string };
  const ranges = [rangeOf({ server })];
  expect((await tracesOf(directory, ranges)).links).toHaveLength(1);
  return { starter, directory, ranges };
}

async function nothingLeft(place: Scratch, directory: string, ranges: string[]): Promise<void> {
  const check = async () => {
    expect(await tracesOf(directory, ranges)).toEqual(NONE);
    expect(readdirSync(place.directory).filter((name) => name !== 'next')).toEqual([]);
  };
  await eventually(check, { withinMs: 20_000 });
}

describe.skipIf(need.missing)(need.title("a killed test's bed with nodes"), { timeout: TIMEOUT_MS }, () => {
  it('ends by itself', async () => {
    using place = scratch();
    const { starter, directory, ranges } = await startedApart(place);
    starter.kill('SIGKILL');
    await nothingLeft(place, directory, ranges);
  });

  it('is cleaned by the next one when its guard was killed too, and when its machine was', async () => {
    using place = scratch();
    const { starter, directory, ranges } = await startedApart(place);
    const { processes } = readState(directory)!;
    const recorded = processes.map(({ pid }) => pid);
    const guards = markedProcesses(directory).filter(({ pid }) => {
      return !recorded.includes(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('guard.ts');
    });
    expect(guards).toHaveLength(1);
    await stopProcesses(guards);
    await stopProcesses(processes.filter(({ name }) => name === machineName('bed-1')));
    // Everything that was in the machine went with it, and its link soon after.
    await eventually(async () => {
      expect((await tracesOf(directory, ranges)).links).toEqual([]);
    });
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    vi.stubEnv('HEADWAY_BED_HOME', place.directory);
    await using next = await bed({ clusters: 0, s3: true, name: 'next' });
    expect(next.name).toBe('next');
    await nothingLeft(place, directory, ranges);
    vi.unstubAllEnvs();
  });
});
