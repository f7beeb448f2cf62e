import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask } from '../bed/ask.ts';
import { type Bed, bed, needs, needsBed, run } from '../bed/index.ts';
import { kubeconfig } from '../bed/kubeconfig.ts';
import { listening } from '../bed/listening.ts';
import { markedProcesses } from '../bed/processes.ts';
import { scratch, type Scratch } from '../bed/scratch.ts';
import { readState } from '../bed/state.ts';
import { eventually } from '../eventually.ts';

const need = needsBed({ clusters: 1, s3: true });
describe.skipIf(need.missing)(need.title('a bed'), () => {
  let place: Scratch;
  let b: Bed;
  const kubectl = async (...args: string[]) =>
    await run(b.bin('kubectl'), { args: ['--kubeconfig', b.kubeconfig, ...args] });

  beforeAll(async () => {
    place = scratch();
    vi.stubEnv('HEADWAY_BED_HOME', place.directory);
    b = await bed({ clusters: 1, s3: true });
  });
  afterAll(async () => {
    await b[Symbol.asyncDispose]();
    expect(markedProcesses(b.directory)).toEqual([]);
    expect(readdirSync(place.directory)).toEqual([]);
    place[Symbol.dispose]();
    vi.unstubAllEnvs();
  });

  it('answers kubectl, with controllers at work', async () => {
    await kubectl('create', 'deployment', 'web', '--image=none', '--replicas=2');
    const ready = async () => {
      const pods = await kubectl('get', 'pods', '-l', 'app=web', '-o', 'name');
      expect(pods.match(/^pod\/web-/gm)).toHaveLength(2);
    };
    await eventually(ready, { withinMs: 15_000 });
  });

  it('lets a client certificate in, and no stranger', async () => {
    const { name, server, caPem, clientCert } = b.clusters[0]!;
    const file = join(b.directory, 'certificate.kubeconfig');
    writeFileSync(file, kubeconfig([{ name, server, caPem, user: clientCert }]));
    const who = await run(b.bin('kubectl'), { args: ['--kubeconfig', file, 'auth', 'whoami'] });
    expect(who).toContain('system:masters');
    expect((await ask(`${server}/api/v1/namespaces`, { caPem, token: 'wrong' }))?.status).toBe(401);
    expect((await ask(`${server}/api/v1/namespaces`, { caPem }))?.status).toBe(403);
  });

  it('keeps everything over a restart of the API server, on the same port and with other flags', async () => {
    const { server, caPem, token, ...cluster } = b.clusters[0]!;
    await kubectl('create', 'namespace', 'stays');
    await cluster.stopApiserver();
    expect(await ask(`${server}/readyz`, { caPem, token })).toBeUndefined();
    await cluster.startApiserver(['--max-requests-inflight=7']);
    expect(await kubectl('get', 'namespace', 'stays', '-o', 'name')).toBe('namespace/stays\n');
    const apiserver = readState(b.directory)!.processes.find((one) => one.name === 'bed-1-kube-apiserver')!;
    expect(readFileSync(`/proc/${apiserver.pid}/cmdline`, 'utf8')).toContain('--max-requests-inflight=7');
  });

  it.skipIf(needs('restic').missing)('serves S3 to who has the keys, and to nobody else', async () => {
    const s3 = b.s3!;
    const restic = async (secretKey: string) =>
      await run(b.bin('restic'), {
        args: ['-r', `s3:${s3.endpoint}/${s3.bucket}/repository`, 'init'],
        env: { AWS_ACCESS_KEY_ID: s3.accessKey, AWS_SECRET_ACCESS_KEY: secretKey, RESTIC_PASSWORD: 'p' },
      });
    const object = join(s3.directory, s3.bucket, 'repository', 'config');
    await restic(s3.secretKey);
    expect(existsSync(object)).toBe(true);
    expect((await ask(`${s3.endpoint}/${s3.bucket}/repository/config`))?.status).toBe(403);
  });

  it('listens on loopback only', () => {
    const { count, beyondLoopback } = listening(readState(b.directory)!.processes.map(({ pid }) => pid));
    expect(count).toBeGreaterThanOrEqual(4);
    expect(beyondLoopback).toEqual([]);
  });
});
