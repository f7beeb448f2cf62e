import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Backup, POD, VolumePluginBackup } from '../../src/api/index.ts';
import { objectsAt, type JsonObject } from '../../src/base/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { HeadwayHome, type Finished, type Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { podClusters } from '../pod-clusters.ts';
import { createClaim, createUser, directoryOf } from '../volumes/volume-cluster.ts';

const pocket = (await podClusters()).find(({ name }) => name === 'pocket')!;

describe.skipIf(pocket.missing)(pocket.title('volumes on the command line'), { timeout: 120_000 }, () => {
  const home = new HeadwayHome();
  let up: Running;
  let kube: KubeClient;
  let kubeconfig = '';
  beforeAll(async () => {
    up = home.start('up', '--listen', '127.0.0.1:0');
    await up.prints('Ctrl-C stops everything', 90_000);
    kubeconfig = join(home.path, 'state', 'pocket', 'headway', 'kubeconfig');
    kube = await clientFor(kubeconfig);
    await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'shop'));
    for (const claim of ['data', 'left', 'unused']) await createClaim(kube, 'shop', claim);
    await createUser(kube, 'shop', { name: 'db-0', claims: ['data'] });
    const annotations = { 'backup.velero.io/backup-volumes-excludes': 'left' };
    await createUser(kube, 'shop', { name: 'web-0', claims: ['left'], metadata: { annotations } });
    const directory = await directoryOf(kube, 'shop', 'data');
    mkdirSync(join(directory, 'sub'));
    writeFileSync(join(directory, 'sub', 'big'), Buffer.alloc(3 * 1024 * 1024, 'headway'), { mode: 0o640 });
    writeFileSync(join(directory, `${'long-'.repeat(30)}name`), 'x');
    symlinkSync('sub/big', join(directory, 'link'));
  }, 150_000);
  afterAll(async () => {
    await kube?.close();
    up?.child.kill('SIGINT');
    await up?.finished();
    home[Symbol.dispose]();
  });
  const run = (...args: string[]): Promise<Finished> => home.run(...args, '--kubeconfig', kubeconfig);
  const count = async (type: typeof Backup | typeof VolumePluginBackup | typeof POD): Promise<number> => {
    let found = 0;
    for await (const { items } of kube.list({ type })) found += items.length;
    return found;
  };

  it('a dry run tells which claims, by what, and why the rest not, and makes nothing', async () => {
    const before = [await count(Backup), await count(VolumePluginBackup), await count(POD)];
    const dry = ['backup', 'create', 'dry', '--include-namespaces', 'shop', '--dry-run'];
    const { code, out, err } = await run(...dry);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toMatch(/\nCLAIM +DATA BY +WHY NOT\n/);
    expect(out).toMatch(/\nshop\/data +stream *\n/);
    expect(out).toMatch(/\nshop\/left +– +pod web-0 excludes it with backup\.velero\.io\/backup-volumes-excludes\n/);
    expect(out).toMatch(/\nshop\/unused +– +no running pod mounts it/);
    const without = await run(...dry, '--default-volumes-to-fs-backup=false');
    expect(without.out).toMatch(/\nshop\/data +– +nobody asked for its files/);
    const json = JSON.parse((await run(...dry, '-o', 'json')).out) as JsonObject;
    expect(json['volumes']).toContainEqual({ claim: 'shop/data', plugin: 'stream' });
    expect([await count(Backup), await count(VolumePluginBackup), await count(POD)]).toEqual(before);
  });

  it('a backup is made, its volume followed, and looked into', async () => {
    const made = await run('backup', 'create', 'b', '--include-namespaces', 'shop', '--wait');
    expect(made).toMatchObject({ code: 0 });
    const backup = await kube.get({ type: Backup, namespace: 'velero', name: 'b' });
    const missing = objectsAt(backup, 'status', 'conditions').find(({ type }) => type === 'VolumeDataMissing');
    // Who excludes a claim knows that its data is not in the backup.
    expect(missing?.['message']).toMatch(/^the data of 1 claim is not in the backup: .*shop\/unused/);
    const volumes = await run('volume', 'get');
    expect(volumes.out).toMatch(/VolumePluginBackup .*✓ completed +100 % +3\.0 MiB/);
    const [name = ''] = /b-[0-9a-f]{10}/.exec(volumes.out) ?? [];
    const described = await run('volume', 'describe', name);
    expect(described.out).toContain('VolumePluginBackup');
    expect(described.out).toMatch(/Backup +b\n/);
    expect((await run('volume', 'watch', name)).out).toMatch(/✓ volume\/.* 100 %/);
    expect((await run('volume', 'cancel', name)).code).not.toBe(0);

    const inspected = await run('inspect', 'b');
    expect(inspected.out).toMatch(new RegExp(`\\nshop/data +stream +3\\.0 MiB +Completed +${name}\\n`));
    expect(inspected.err).toContain('inspect b --files NAMESPACE/CLAIM');
    expect((await run('inspect', 'b', '--volumes')).out).toMatch(/^CLAIM +DATA BY +SIZE +PHASE +VOLUME\nshop\/data/);
    const files = await run('inspect', 'b', '--files', 'shop/data');
    expect(files).toMatchObject({ code: 0, err: '' });
    expect(files.out).toMatch(/^-rw-r----- +3\.0 MiB {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}(\.\/)?sub\/big$/m);
    expect(files.out).toMatch(/^l\S+ +– .* (\.\/)?link -> sub\/big$/m);
    expect(files.out).toMatch(new RegExp(`${'long-'.repeat(30)}name$`, 'm'));
    const found = await run('inspect', 'b', '--files', name, '--search', 'sub/', '-o', 'json');
    const { files: listed } = JSON.parse(found.out) as { files: { path: string; bytes: number }[] };
    expect(listed.map(({ bytes }) => bytes)).toContain(3 * 1024 * 1024);
    expect(listed.every(({ path }) => path.includes('sub/'))).toBe(true);
    const none = await run('inspect', 'b', '--files', 'shop/left');
    expect(none.code).toBe(3);
    expect(none.err).toContain('inspect b --volumes');
    expect((await run('inspect', 'b', '--files', 'shop/data', '--diff', 'cluster')).code).toBe(2);
  });
});
