import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { describe, expect, it } from 'vitest';
import { needs } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { machinePods } from '../pocket/machine-pods.ts';
import { openTerminal, programOf, TEST_MS } from './terminal.ts';

const need = needs('kubectl');
const isLinux = process.platform === 'linux';
const MEBIBYTE = 1024 * 1024;
/** A server for the port of its own address, in one line. */
const SERVER = `require('http').createServer((q, a) => a.end('from ' + process.env.HOSTNAME)).listen(8080, process.env.IP)`;
const webManifest = (namespace: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: ${namespace} }
spec:
  replicas: 2
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec:
      terminationGracePeriodSeconds: 1
      containers:
        - name: web
          image: headway:dev
          command: [node, -e, "${SERVER}"]
          env: [{ name: IP, valueFrom: { fieldRef: { fieldPath: status.podIP } } }]
          ports: [{ containerPort: 8080 }]
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 }
---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: ${namespace} }
spec: { type: NodePort, selector: { app: web }, ports: [{ port: 8000, targetPort: 8080 }] }
`;

async function sha256(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

describe.skipIf(need.missing || !isLinux)(
  need.title('kubectl and the processes of a pocket cluster'),
  { concurrent: true, timeout: 2 * TEST_MS },
  () => {
    const { kubectl, refused, start, namespace, file, program } = openTerminal({ pods: machinePods() });
    const shell = program('/bin/sh');
    const KUBECTL = programOf('kubectl');

    /** A pod that waits, and the namespace it is in. */
    const withBox = async (): Promise<string> => {
      const ns = await namespace('box');
      await kubectl`run box -n ${ns} --image=busybox --restart=Never -- sleep 1000`;
      await kubectl`wait pod/box -n ${ns} --for=condition=Ready --timeout=30s`;
      return ns;
    };

    it('runs a command to its end and tells its exit code and its words', async () => {
      const ns = await namespace('hi');
      await kubectl`run hi -n ${ns} --image=busybox --restart=Never -- sh -c ${'echo hi; exit 3'}`;
      await kubectl`wait pod/hi -n ${ns} --for=jsonpath=${'{.status.phase}'}=Failed --timeout=30s`;
      const code = '{.status.containerStatuses[0].state.terminated.exitCode}';
      expect(await kubectl`get pod hi -n ${ns} -o ${`jsonpath=${code}`}`).toBe('3');
      expect(await kubectl`logs hi -n ${ns}`).toBe('hi\n');
    });

    it('execs a long command with input, and one whose input is closed', async () => {
      const ns = await withBox();
      const long = `: ${'x'.repeat(20_000)}; wc -c`;
      const line = `printf 12345 | ${KUBECTL} exec -i box -n ${ns} -- sh -c '${long}'`;
      expect(await shell.run`-c ${line}`).toBe('5\n');
      expect(await shell.run`-c ${`${KUBECTL} exec -i box -n ${ns} -- cat </dev/null; echo over`}`).toBe('over\n');
      expect((await refused`exec box -n ${ns} -- sh -c ${'exit 42'}`).code).toBe(42);
    });

    it('execs on a terminal', async () => {
      const ns = await withBox();
      const typed = `${KUBECTL} exec -it box -n ${ns} -- sh -c '[ -t 0 ] && read word && echo got \\$word'`;
      const said = await shell.run`-c ${`echo hello | script -qec "${typed}" /dev/null`}`;
      expect(said).toContain('got hello');
    });

    it('copies 256 MiB there and back', async () => {
      const ns = await withBox();
      const from = file('big', '');
      await shell.run`-c ${`head -c ${256 * MEBIBYTE} /dev/urandom >${from}`}`;
      await kubectl`cp ${from} ${`${ns}/box:/tmp/big`}`;
      const inside = await kubectl`exec box -n ${ns} -- sha256sum /tmp/big`;
      await kubectl`cp ${`${ns}/box:/tmp/big`} ${`${from}.back`}`;
      const sum = await sha256(from);
      expect(inside).toContain(sum);
      expect(await sha256(`${from}.back`)).toBe(sum);
    });

    it('follows a log with times, and has that of the life before', async () => {
      const ns = await namespace('logs');
      const script = '[ -f /v/seen ] && echo again && exec sleep 1000; touch /v/seen; echo before; exit 1';
      const volume = { volumes: [{ name: 'v', emptyDir: {} }] };
      const mounts = { name: 'box', image: 'busybox', command: ['sh', '-c', script] };
      const spec = { ...volume, containers: [{ ...mounts, volumeMounts: [{ name: 'v', mountPath: '/v' }] }] };
      await kubectl`run box -n ${ns} --image=busybox --overrides=${JSON.stringify({ spec })}`;
      await using following = start`logs -f --since=1h --timestamps box -n ${ns} --pod-running-timeout=30s`;
      await eventually(
        async () => {
          expect(await kubectl`logs box -n ${ns}`).toBe('again\n');
        },
        { withinMs: 30_000 },
      );
      expect(await kubectl`logs box -n ${ns} --previous`).toBe('before\n');
      await eventually(() => {
        expect(following.text()).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z \w+$/m);
      });
    });

    it('attaches to what runs', async () => {
      const ns = await namespace('attach');
      const words = `run box -n ${ns} -i --rm --restart=Never --image=busybox --quiet -- sh -c 'read word; echo got $word'`;
      expect(await shell.run`-c ${`echo hello | ${KUBECTL} ${words}`}`).toContain('got hello');
    });

    it('forwards ports, finds services by name and by node port, and rolls out anew', async () => {
      const ns = await namespace('web');
      await kubectl`apply -f ${file(`${ns}.yaml`, webManifest(ns))}`;
      await kubectl`rollout status deployment/web -n ${ns} --timeout=60s`;
      await using forwarding = start`port-forward service/web -n ${ns} :8000`;
      await forwarding.prints('Forwarding from 127.0.0.1');
      const port = /127\.0\.0\.1:(\d+)/.exec(forwarding.text())?.[1] ?? '';
      expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toMatch(/^from web-/);
      const nodePort = await kubectl`get service web -n ${ns} -o ${'jsonpath={.spec.ports[0].nodePort}'}`;
      expect(await (await fetch(`http://127.0.0.1:${nodePort}`)).text()).toMatch(/^from web-/);
      const ask = `fetch('http://web:8000').then((a) => a.text()).then(console.log)`;
      await kubectl`run client -n ${ns} --image=headway:dev --restart=Never -- node -e ${ask}`;
      await kubectl`wait pod/client -n ${ns} --for=jsonpath=${'{.status.phase}'}=Succeeded --timeout=30s`;
      expect(await kubectl`logs client -n ${ns}`).toMatch(/^from web-/);
      await kubectl`rollout restart deployment/web -n ${ns}`;
      expect(await kubectl`rollout status deployment/web -n ${ns} --timeout=60s`).toContain('successfully rolled out');
    });

    it('hides homes, and has Headway itself all the same', async () => {
      const ns = await withBox();
      expect(await kubectl`exec box -n ${ns} -- ls -A /root /home`).toBe('/home:\n\n/root:\n');
      await kubectl`run self -n ${ns} --image=headway:dev --restart=Never -- headway --version`;
      await kubectl`wait pod/self -n ${ns} --for=jsonpath=${'{.status.phase}'}=Succeeded --timeout=30s`;
      expect(await kubectl`logs self -n ${ns}`).toMatch(/^\d+\.\d+\.\d+/);
      for (const [name, image] of Object.entries({
        kando: 'headway:dev',
        tools: 'ghcr.io/kanisterio/kanister-tools:1',
      })) {
        await kubectl`run ${name} -n ${ns} --image=${image} --restart=Never -- sh -c ${'which kando; kando --version'}`;
        await kubectl`wait pod/${name} -n ${ns} --for=jsonpath=${'{.status.phase}'}=Succeeded --timeout=30s`;
        expect(await kubectl`logs ${name} -n ${ns}`).toMatch(/^\/opt\/headway\/commands\/kando\nkando of Headway /);
      }
    });

    it('simulates an image that nobody has, and says so wherever somebody looks', async () => {
      const ns = await namespace('simulated');
      await kubectl`run box -n ${ns} --image=registry.example.com/db:7`;
      await kubectl`wait pod/box -n ${ns} --for=condition=Ready --timeout=30s`;
      expect(await kubectl`describe pod box -n ${ns}`).toMatch(/Simulated .*container "box" is simulated: image/);
      expect((await refused`exec box -n ${ns} -- ls`).stderr).toContain(
        'is simulated: image "registry.example.com/db:7"',
      );
      expect((await refused`debug box -n ${ns} --image=busybox`).stderr).toContain('has no ephemeralcontainers');
    });

    it('lets a pod wait whose port is taken, and tells why', async () => {
      const ns = await namespace('port');
      const listening = `require('net').createServer().listen(18567, '0.0.0.0')`;
      await kubectl`run one -n ${ns} --image=headway:dev --restart=Never -- node -e ${listening}`;
      await kubectl`wait pod/one -n ${ns} --for=condition=Ready --timeout=30s`;
      await eventually(async () => {
        expect(await kubectl`exec one -n ${ns} -- cat /proc/net/tcp`).toContain(':4887 ');
      });
      await kubectl`run two -n ${ns} --image=busybox --port=18567 -- sleep 1000`;
      const reason = '{.status.containerStatuses[0].state.waiting.reason}';
      await kubectl`wait pod/two -n ${ns} --for=jsonpath=${reason}=PortTaken --timeout=30s`;
      expect(await kubectl`describe pod two -n ${ns}`).toContain('port 18567 is taken');
    });

    it('says how the node runs pods', async () => {
      expect(await kubectl`describe node pocket`).toMatch(/^ +PodSandboxReady +(True|False) /m);
    });
  },
);
