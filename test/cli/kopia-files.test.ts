import { mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { POD, SECRET } from '../../src/api/index.ts';
import type { VolumeFilesAnswer } from '../../src/core/operations/index.ts';
import { REPOSITORY_SECRET } from '../../src/core/volumes/index.ts';
import type { KubeClient } from '../../src/edge/kube/index.ts';
import { type Bed, bed, needs, needsBed } from '../bed/index.ts';
import { eventually } from '../eventually.ts';
import { HeadwayHome, type Finished, type Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { podClusters } from '../pod-clusters.ts';
import { KOPIA } from '../volumes/kopia-place.ts';
import { createClaim, createUser, directoryOf, useBucket } from '../volumes/volume-cluster.ts';

const pocket = (await podClusters()).find(({ name }) => name === 'pocket')!;
const withBed = needsBed({ clusters: 0, s3: true });
const need = [pocket, withBed, needs('kopia')].find(({ missing }) => missing) ?? withBed;

/** By a mover, so nothing of one may be left when the answer is there. */
describe.skipIf(need.missing)(need.title('files of kopia volumes, looked into'), { timeout: 120_000 }, () => {
  const home = new HeadwayHome();
  let b: Bed;
  let up: Running;
  let kube: KubeClient;
  let kubeconfig = '';
  const directory = join(home.path, 'state', 'pocket', 'headway');
  const repositories = join(directory, 'stores', 'backups', 'kopia');
  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
    up = home.start('up', '--listen', '127.0.0.1:0', '--uploader', 'kopia', '--kopia', KOPIA);
    await up.prints('Ctrl-C stops everything', 90_000);
    kubeconfig = join(directory, 'kubeconfig');
    kube = await clientFor(kubeconfig);
    await useBucket(kube, b.s3!, 'bucket');
    await kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, 'shop'));
    await createClaim(kube, 'shop', 'data');
    await createUser(kube, 'shop', { name: 'db-0', claims: ['data'] });
    const volume = await directoryOf(kube, 'shop', 'data');
    mkdirSync(join(volume, 'sub'));
    writeFileSync(join(volume, 'sub', 'big'), Buffer.alloc(3 * 1024 * 1024, 'headway'), { mode: 0o640 });
    writeFileSync(join(volume, 'two\nlines \u001b[31mred'), 'x');
    symlinkSync('sub/big', join(volume, 'link'));
    for (const location of ['default', 'bucket']) {
      const made = await run(
        'backup',
        'create',
        `in-${location}`,
        '--include-namespaces',
        'shop',
        '--wait',
        ...at(location),
      );
      expect(made, made.err).toMatchObject({ code: 0 });
    }
    // That is when people look into backups.
    await kube.delete({ type: NAMESPACES, name: 'shop' });
  }, 180_000);
  afterAll(async () => {
    await kube?.close();
    up?.child.kill('SIGINT');
    await up?.finished();
    home[Symbol.dispose]();
    await b?.[Symbol.asyncDispose]();
  });
  const at = (location: string): string[] => ['--storage-location', location];
  const run = (...args: string[]): Promise<Finished> => home.run(...args, '--kubeconfig', kubeconfig);
  const leftovers = async (): Promise<string[]> => {
    const names: string[] = [];
    for (const type of [POD, SECRET]) {
      for await (const { items } of kube.list({ type }, { labelSelector: 'headway.io/mover-job=list' }))
        for (const { metadata } of items) names.push(`${type.kind} ${metadata.name}`);
    }
    return names;
  };

  it('cannot be listed, in one sentence', async () => {
    const { name, key } = REPOSITORY_SECRET;
    const secret = { type: SECRET, namespace: 'velero', name };
    const right = (await kube.get(secret))['data'] as Record<string, string>;
    const usePassword = (data: Record<string, string>) => kube.patch(secret, { kind: 'merge', body: { data } });
    await usePassword({ [key]: Buffer.from('another').toString('base64') });
    const refused = await run('inspect', 'in-default', '--files', 'shop/data');
    expect(refused.code).toBe(4);
    expect(refused.err).toContain('the password of the repository is wrong; it is in Secret velero-repo-credentials');
    await usePassword(right);
    renameSync(repositories, `${repositories}-away`);
    const gone = await run('inspect', 'in-default', '--files', 'shop/data');
    expect(gone.code).toBe(3);
    expect(gone.err).toContain('there is no repository');
    renameSync(`${repositories}-away`, repositories);
    expect(await leftovers()).toEqual([]);
  });

  it('are listed to the end, or not, when somebody leaves, and nothing of the mover stays', async () => {
    const looking = home.start('inspect', 'in-default', '--files', 'shop/data', '--kubeconfig', kubeconfig);
    await eventually(
      async () => {
        expect((await leftovers()).join()).toContain('Pod headway-list-');
      },
      { withinMs: 60_000 },
    );
    looking.child.kill('SIGINT');
    expect((await looking.finished()).code).toBe(130);
    await eventually(
      async () => {
        expect(await leftovers()).toEqual([]);
      },
      { withinMs: 40_000 },
    );
  });

  it.each(['default', 'bucket'])('are listed by a mover, once, from location %s', async (location) => {
    const files = await run('inspect', `in-${location}`, '--files', 'shop/data');
    expect(files, files.err).toMatchObject({ code: 0 });
    expect(files.out.split('\n').map((line) => line.replace(/^(\S+) +(\S+( \S+)?) {2}\S+ \S+ {2}/, '$1 $2 '))).toEqual([
      'lrwxrwxrwx – link',
      expect.stringMatching(/^drwxr-xr-x – sub$/) as string,
      '-rw-r----- 3.0 MiB sub/big',
      '-rw-r--r-- 1 B two\\nlines \\x1b[31mred',
      '',
    ]);
    expect(files.err).toMatch(/^(A mover lists the files of shop\/data with kopia: \d+ s, .+\n)*$/);
    expect(await leftovers()).toEqual([]);
    const again = await run('inspect', `in-${location}`, '--files', 'shop/data', '--search', 'sub/', '-o', 'json');
    expect(again.err).toBe('');
    expect((JSON.parse(again.out) as VolumeFilesAnswer).files).toMatchObject([
      { path: 'sub/big', bytes: 3 * 1024 ** 2 },
    ]);
  });
});
