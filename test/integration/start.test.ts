import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { OperationsAnswer } from '../../src/core/operations/index.ts';
import { HeadwayHome } from '../headway-process.ts';

/** What `npm start` runs, on a port that nobody else has. */
const UP = ['up', '--demo', '--listen', '127.0.0.1:0'];

describe('npm start', () => {
  it('stops in the middle when asked to', { timeout: 60_000 }, async () => {
    using home = new HeadwayHome();
    const demo = home.start(...UP);
    await demo.prints('creating');
    demo.child.kill('SIGINT');
    const { code, out } = await demo.finished();
    expect(code).toBe(130);
    expect(out).toMatch(
      /^Headway .*\nCtrl-C deletes this cluster and its data; to keep it: headway up --demo --keep\n/,
    );
    expect(out).toMatch(/\n\nStopped\. Pocket cluster "demo" and everything in it were deleted\.\n$/);
    expect(existsSync(join(home.path, 'state', 'pocket', 'demo'))).toBe(false);
  });

  it('keeps the demo when asked to, and goes on with it', { timeout: 60_000 }, async () => {
    using home = new HeadwayHome();
    const first = home.start(...UP, '--keep');
    await first.prints('creating');
    first.child.kill('SIGINT');
    expect((await first.finished()).out).toMatch(
      /\nStopped\. Pocket cluster "demo" is kept; start it again with: headway up --demo\n$/,
    );
    const again = home.start(...UP);
    await again.prints('Ctrl-C stops everything.\n');
    expect(again.out).toContain('This demo was kept. Begin with a new one: headway pocket down demo --purge\n');
    expect(again.out).not.toContain('creating');
    again.child.kill('SIGINT');
    expect((await again.finished()).code).toBe(0);
    expect(existsSync(join(home.path, 'state', 'pocket', 'demo', 'kubeconfig'))).toBe(true);
  });

  it(
    'shows progress within 10 s, brings everything up also after a kill, and Ctrl-C leaves nothing behind',
    { timeout: 400_000 },
    async () => {
      using home = new HeadwayHome();
      const killed = home.start(...UP);
      await killed.prints('creating');
      killed.child.kill('SIGKILL');
      await killed.finished();

      const startedAt = Date.now();
      const demo = home.start(...UP);
      await demo.prints('creating');
      expect(Date.now() - startedAt).toBeLessThan(10_000);
      await demo.prints('Ctrl-C stops everything', 240_000);
      expect(demo.out).toMatch(/✓ sample +[\d ]+ objects of 19 kinds in 6 namespaces/);
      expect(demo.out).toMatch(/✓ pods +50 pods ready/);
      expect(demo.out).toMatch(/✓ hooks +shop\/ledger stood still at entry \d+ for (< )?[\d.]+ s/);
      expect(demo.out).not.toMatch(/●.*pods ready/);
      expect(demo.out).toMatch(/✓ backup +demo-1: [\d ]+ items, [\d.]+ KiB, 143 MiB in volumes/);
      expect(demo.out).toMatch(/● restore +restoring +\d+ % {2}[\d ]+ of [\d ]+ .* [a-z.]+ \S+\/\S+\n/);
      expect(demo.out).toMatch(/✓ restore +demo-1-copy: [\d ]+ created, [\d ]+ skipped, 143 MiB in volumes/);
      expect(demo.out).toMatch(/✓ verified +7 \d\d\d objects compared, 0 differ/);
      expect(demo.out).toMatch(/✓ volumes +1 050 files of 2 volumes compared by sha256, 0 differ/);
      expect(demo.out).toMatch(/✓ database +library\/books has 5 000 records/);
      expect(demo.out).toMatch(/✓ dump +books-dump: Blueprint books, action backup, 2 phases/);
      expect(demo.out).toMatch(/✓ wipe +library\/books has 0 records/);
      expect(demo.out).toMatch(/✓ load +books-load: Blueprint books, action restore, 1 phase /);
      expect(demo.out).toMatch(/✓ compared +library\/books has 5 000 records again, same sha256/);
      expect(demo.out).not.toContain('▲');
      const [link = ''] = /http:\/\/127\.0\.0\.1:\d+\/login\?code=\S+/.exec(demo.out) ?? [];
      const login = await fetch(link, { redirect: 'manual' });
      expect(login.status).toBe(303);
      await demo.prints('Next link');
      expect(demo.out.slice(demo.out.indexOf('Next link'))).toMatch(/code=\S{22}\n/);
      const cookie = login.headers
        .getSetCookie()
        .map((each) => each.split(';')[0])
        .join('; ');
      const page = await fetch(new URL('/', link), { headers: { cookie } });
      expect(await page.text()).toContain('<div id="page">');
      const operations = await fetch(new URL('/api/operations', link), { headers: { cookie } });
      const { operations: told } = (await operations.json()) as OperationsAnswer;
      const kinds = told.map(({ ref, report }) => `${ref.kind} ${report.state}`);
      expect(kinds.toSorted()).toEqual([
        'ActionSet completed',
        'ActionSet completed',
        'Backup completed',
        'Restore completed',
        'VolumePluginBackup completed',
        'VolumePluginBackup completed',
        'VolumePluginRestore completed',
        'VolumePluginRestore completed',
      ]);
      expect((await fetch(new URL('/api/operations', link))).status).toBe(401);

      const second = await home.run(...UP);
      expect(second.code).toBe(1);
      expect(second.err).toContain('pocket cluster "demo" is already running');

      demo.child.kill('SIGINT');
      const { code, out, err } = await demo.finished();
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toMatch(/\nStopped\. Pocket cluster "demo" and everything in it were deleted\.\n$/);
      const [, logFile = ''] = /\nLog +(\S+)\n/.exec(out) ?? [];
      expect(readFileSync(logFile, 'utf8')).toMatch(/^\{.*"component":"headway".*\}\n/m);
      expect(readdirSync(join(home.path, 'state', 'pocket'))).toEqual([]);
    },
  );
});
