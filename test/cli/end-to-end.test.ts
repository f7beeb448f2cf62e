import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HeadwayHome, Running } from '../headway-process.ts';
import { clientFor } from '../kube-client.ts';

const PROGRAM = new URL('../../bin/headway', import.meta.url).pathname;

/** The program as people use it: `headway up` in one terminal, commands in another. */
describe('headway up, and commands beside it', { timeout: 120_000 }, () => {
  const home = new HeadwayHome();
  const kubeconfig = join(home.path, 'state', 'pocket', 'headway', 'kubeconfig');
  const run = (...args: string[]) => home.run(...args, '--kubeconfig', kubeconfig);
  let up: Running;
  const makeConfigMap = async (name: string) => {
    const kube = await clientFor(kubeconfig);
    const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };
    const metadata = { name, namespace: 'default' };
    await kube.create({ type, namespace: 'default' }, { apiVersion: 'v1', kind: 'ConfigMap', metadata });
    await kube.close();
  };

  beforeAll(async () => {
    up = home.start('up', '--no-demo', '--listen', '127.0.0.1:0');
    await up.prints('Ctrl-C stops everything', 60_000);
  }, 90_000);
  afterAll(async () => {
    up.child.kill('SIGINT');
    await up.finished();
    home[Symbol.dispose]();
  }, 30_000);

  it('backs up, looks inside, restores elsewhere and deletes', async () => {
    const backup = await run('backup', 'create', 'one', '--wait', '--timeout', '60s');
    expect(backup).toMatchObject({ code: 0, err: '' });
    expect(backup.out).toMatch(/✓ backup\/one {2}completed {2}100 % .* Backed up \d+ items/);

    expect((await run('backup', 'logs', 'one')).out).toContain('level=info');
    expect((await run('inspect', 'one', '--item', 'namespaces/velero')).out).toContain('kind: Namespace');
    await makeConfigMap('later');
    expect((await run('inspect', 'one', '--diff', 'cluster')).out).toMatch(
      /^From backup\/one to the cluster: [^]*configmaps.*later/,
    );
    expect((await run('backup', 'verify', 'one')).out).toContain('✓ backup/one  is intact');

    const plan = ['restore', 'create', 'copy', '--from-backup', 'one', '--namespace-mappings', 'default:elsewhere'];
    const planned = await run(...plan, '--dry-run');
    expect(planned.out).toMatch(/elsewhere +services +1 /);
    expect((await run('restore', 'get', 'copy')).code).toBe(3);
    const restored = await run(...plan, '--wait', '--timeout', '60s');
    expect(restored).toMatchObject({ code: 0, err: '' });
    expect((await run('restore', 'describe', 'copy')).out).toContain('Mapping    default → elsewhere');

    expect(await run('backup', 'delete', 'one', '--confirm', '--wait', '--timeout', '60s')).toEqual({
      code: 0,
      out: 'backup/one deleted\n',
      err: '',
    });
  });

  it('ends with 1 when the operation is refused', async () => {
    const refused = await run(
      'backup',
      'create',
      'nowhere',
      '--storage-location',
      'moon',
      '--wait',
      '--timeout',
      '60s',
    );
    expect(refused.code).toBe(1);
    expect(refused.out).toMatch(/✕ backup\/nowhere {2}failed {2}Refused: .*moon/);
  });

  it('is interrupted with 130, as a plugin of kubectl as well', async () => {
    const plugin = join(home.path, 'kubectl-headway');
    symlinkSync(PROGRAM, plugin);
    const env = { PATH: process.env['PATH'], HOME: home.path, HEADWAY_HOME: join(home.path, 'state') };
    const watch = new Running(spawn(plugin, ['watch', '-o', 'json', '--kubeconfig', kubeconfig], { env }));
    await watch.prints('"kind":"Backup"');
    watch.child.kill('SIGINT');
    expect((await watch.finished()).code).toBe(130);
    const missing = new Running(spawn(plugin, ['backup', 'get', 'x', '--kubeconfig', kubeconfig], { env }));
    expect((await missing.finished()).err).toContain('List what there is with: kubectl headway backup get\n');
  });
});
