import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import { NAMESPACE, startCluster, type EngineCluster } from '../engine/engine.ts';
import { SHORT_STEP_MS, watchingLoop } from '../event-loop.ts';
import { eventually } from '../eventually.ts';
import { paxBomb, TAR_END, tarEntry } from '../hostile-tar.ts';
import { resultsBomb } from '../results-bomb.ts';
import { Served, type Answer } from './served.ts';

const MIB = 1024 ** 2;

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string };

beforeAll(async () => {
  cluster = await startCluster();
  const fsRoot = join(cluster.directory, 'stores');
  served = await Served.start([{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link', fsRoot }]);
  me = await served.byLink();
}, 60_000);

afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** A backup as anybody who may write to the bucket can make it. */
async function putBackup(name: string, files: Record<string, Uint8Array>, status: object = {}): Promise<void> {
  const folder = join(cluster.bucket, 'backups', name);
  mkdirSync(folder, { recursive: true });
  for (const [ending, bytes] of Object.entries(files)) writeFileSync(join(folder, `${name}${ending}`), bytes);
  await cluster.kube.create(
    { type: Backup, namespace: NAMESPACE },
    {
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name, namespace: NAMESPACE },
      spec: { storageLocation: 'default' },
      status: { phase: 'PartiallyFailed', errors: 3, startTimestamp: '2026-01-01T00:00:00Z', ...status },
    },
  );
  await eventually(async () => {
    expect((await get(`/api/operations?q=${name}`)).json['operations']).toHaveLength(1);
  });
}

const idOf = (name: string): string => `demo.backup.${NAMESPACE}.${name}`;
const get = (path: string): Promise<Answer> => served.ask(path, { headers: me });

describe('results of 100 KB that unpack to 45 MB', () => {
  it('are cut, and the answer says so, while everybody else is served', async () => {
    const before = process.memoryUsage.rss();
    await putBackup('bomb', { '-results.gz': resultsBomb() });
    const { result, stepMs, delayMs } = await watchingLoop(() => get(`/api/operations/${idOf('bomb')}`));
    expect(result.status).toBe(200);
    const [cut, group] = result.json['problems'] as { text: string; count: number }[];
    expect(cut?.text).toMatch(/^the results are cut: the file has more than 8(\.0)? MiB .* first 199 ?99\d messages/);
    expect(group?.count).toBeGreaterThan(199_000);
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
    // It was 11 s, and others on the machine add to this one.
    expect(delayMs).toBeLessThan(2000);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300 * MIB);
  });

  it('are not read again when the page is opened again', async () => {
    const { stepMs } = await watchingLoop(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => get(`/api/operations/${idOf('bomb')}`)));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    });
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
  });

  it('of one message without end is cut as well', async () => {
    await putBackup('endless', { '-results.gz': gzipSync(`{"errors":{"velero":["${'x'.repeat(30 * MIB)}"]}}`) });
    const { result, stepMs } = await watchingLoop(() => get(`/api/operations/${idOf('endless')}`));
    expect(result.json['problems']).toMatchObject([{ text: expect.stringContaining('the results are cut') as string }]);
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
  });
});

describe('an archive', () => {
  it('with the headers that once stopped everything is refused, while everybody else is served', async () => {
    await putBackup('pax', { '.tar.gz': gzipSync(paxBomb()) });
    const { result, stepMs } = await watchingLoop(() => get(`/api/backups/${idOf('pax')}/contents`));
    expect([result.status, result.text]).toEqual([422, expect.stringContaining('got pax global header')]);
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
  });

  it('of very many types is told in part, while everybody else is served', async () => {
    const entries = Array.from({ length: 12_000 }, (_, at) => {
      const object = { apiVersion: `g${at}.test/v1`, kind: 'A', metadata: { name: 'a' } };
      return tarEntry(`resources/as.g${at}.test/cluster/a.json`, Buffer.from(JSON.stringify(object)));
    });
    await putBackup('types', { '.tar.gz': gzipSync(Buffer.concat([...entries, TAR_END]), { level: 1 }) });
    const { result, stepMs } = await watchingLoop(() => get(`/api/backups/${idOf('types')}/contents?limit=1`));
    const { groups, total, problems } = result.json as { groups: unknown[]; total: number; problems: string[] };
    expect([groups.length, total]).toEqual([10_000, 12_000]);
    expect(problems).toEqual(['only the first 10000 types and namespaces are told']);
    expect(stepMs).toBeLessThan(SHORT_STEP_MS);
  });

  const archiveOf = (version: string): Uint8Array =>
    gzipSync(Buffer.concat([tarEntry('metadata/version', Buffer.from(`${version}\n`)), TAR_END]));

  it.each([
    ['in the archive', '9.9.9', {}],
    ['in its status', '1.1.0', { version: 1, formatVersion: '9.9.9' }],
    ['as a number in its status', '1.1.0', { version: 99 }],
  ])('of a newer major version, which is told %s, is not looked into', async (where, version, status) => {
    const name = `newer-${where.replaceAll(' ', '-')}`;
    await putBackup(name, { '.tar.gz': archiveOf(version) }, status);
    const { status: code, text } = await get(`/api/backups/${idOf(name)}/contents`);
    expect([code, text]).toEqual([415, expect.stringContaining('newer than 1.1.0')]);
  });

  it('of a newer minor version is looked into, with a warning', async () => {
    await putBackup('minor', { '.tar.gz': archiveOf('1.2.0') });
    const { status, json } = await get(`/api/backups/${idOf('minor')}/contents`);
    expect([status, json['problems']]).toEqual([200, [expect.stringContaining('newer than 1.1.0')]]);
  });
});
