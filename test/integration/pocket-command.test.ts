import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { HeadwayHome, processEnds } from '../headway-process.ts';

const pidOf = async (home: HeadwayHome, name: string): Promise<number> => {
  const { out } = await home.run('pocket', 'status', name, '-o', 'json');
  return (JSON.parse(out) as [{ pid: number }])[0].pid;
};

describe('headway pocket', { timeout: 60_000 }, () => {
  it('starts, tells, serves and stops', async () => {
    using home = new HeadwayHome();
    const up = await home.run('pocket', 'up', 'one');
    expect(up).toMatchObject({ code: 0, err: '' });
    expect(up.out).toMatch(
      /^Pocket cluster "one" ready in [\d.]+ s\nServer +https:\/\/127\.0\.0\.1:\d+\nkubectl +export KUBECONFIG=/,
    );
    expect(up.out).toMatch(/\nPods are (processes|plain|simulated)/);
    expect(up.out.includes('not a sandbox')).toBe(process.platform === 'linux');

    const kubeconfig = join(home.path, 'state', 'pocket', 'one', 'kubeconfig');
    expect((await home.run('pocket', 'kubeconfig', 'one')).out).toBe(readFileSync(kubeconfig, 'utf8'));
    expect(readFileSync(kubeconfig, 'utf8')).toContain('current-context: pocket-one');
    const version = await home.run('version', '--kubeconfig', kubeconfig);
    expect(version.out).toMatch(/Cluster +v1\.\d+\.\d+.* at https:\/\/127\.0\.0\.1/);

    const second = await home.run('pocket', 'up', 'one');
    expect(second.out).toContain('is already running');
    expect(second.out).not.toContain('not a sandbox');
    expect((await home.run('pocket', 'status')).out).toMatch(/^NAME +STATE +SERVER +PID +AGE\none +running +https/);

    const pid = await pidOf(home, 'one');
    expect((await home.run('pocket', 'down', 'one')).out).toBe('Pocket cluster "one" stopped\n');
    await processEnds(pid);
    expect((await home.run('pocket', 'status', 'one')).out).toContain('stopped');
    expect((await home.run('pocket', 'down', 'one', '--purge')).out).toContain('was not running, its data is deleted');
    expect((await home.run('pocket', 'status')).out).toContain('No pocket clusters');
  });

  it('lets one of two starts win, and the other says so', async () => {
    using home = new HeadwayHome();
    const both = await Promise.all([home.run('pocket', 'up', 'twin'), home.run('pocket', 'up', 'twin')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(both.filter(({ out }) => out.includes('is already running'))).toHaveLength(1);
    await home.run('pocket', 'down', 'twin', '--purge');
  });

  it('keeps its data over a kill, and several run at once', async () => {
    using home = new HeadwayHome();
    await Promise.all([home.run('pocket', 'up', 'a'), home.run('pocket', 'up', 'b')]);
    process.kill(await pidOf(home, 'a'), 'SIGKILL');
    await eventually(async () => {
      expect((await home.run('pocket', 'status', 'a')).out).toContain('stopped');
    });
    expect((await home.run('pocket', 'up', 'a')).out).toContain('ready in');
    expect((await home.run('pocket', 'status')).out.match(/running/g)).toHaveLength(2);
    await Promise.all([home.run('pocket', 'down', 'a'), home.run('pocket', 'down', 'b')]);
  });

  it('ends with the home of a test that did not end it', async () => {
    const home = new HeadwayHome();
    let pid: number;
    try {
      await home.run('pocket', 'up', 'left');
      pid = await pidOf(home, 'left');
    } finally {
      home[Symbol.dispose]();
    }
    await processEnds(pid);
    expect(existsSync(home.path)).toBe(false);
  });

  it('says what is wrong', async () => {
    using home = new HeadwayHome();
    const missing = await home.run('pocket', 'down', 'nothere');
    expect(missing).toMatchObject({ code: 3, out: '' });
    expect(missing.err).toBe(
      'headway: there is no pocket cluster "nothere"\nStart it with: headway pocket up nothere\n',
    );
    const badName = await home.run('pocket', 'up', '../escape');
    expect(badName.code).toBe(2);
    expect(badName.err).toContain('"../escape" is not a valid name for a pocket cluster');
    const badPort = await home.run('pocket', 'up', 'x', '--port', '99999');
    expect(badPort.code).toBe(2);
    expect(badPort.err).toContain('expected a whole number from 1 to 65535');
  });

  it('names a port that is taken', async () => {
    using home = new HeadwayHome();
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    const { port } = taken.address() as { port: number };
    const up = async (): Promise<{ code: number | null; err: string }> =>
      await home.run('pocket', 'up', 'x', '--port', String(port));
    const { code, err } = await up();
    // What earlier starts left in the log is not the reason of this one.
    expect((await up()).err).toBe(err);
    taken.close();
    expect(code).toBe(5);
    expect(err).toContain('did not start');
    expect(err).toContain(String(port));
    expect(err).not.toContain('at ');
  });
});
