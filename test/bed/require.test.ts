import { afterEach, describe, expect, it, vi } from 'vitest';
import { needs, needsBed, needsOldKubectl } from './require.ts';
import { scratch } from './scratch.ts';

describe('needs', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it('gives a reason in the title when parts are missing', () => {
    using place = scratch();
    vi.stubEnv('HEADWAY_BED_CACHE', place.directory);
    vi.stubEnv('HEADWAY_REQUIRE', '');
    const need = needs('kopia');
    expect(need.missing).toBe(true);
    expect(need.title('kopia')).toBe('kopia (skipped: kopia not built, run: npm run bed -- build)');
  });

  it('counts only what the contents of the bed need', () => {
    using place = scratch();
    vi.stubEnv('HEADWAY_BED_CACHE', place.directory);
    vi.stubEnv('HEADWAY_REQUIRE', '');
    expect(needsBed({ clusters: 0 }).missing).toBe(false);
    expect(needsBed({ clusters: 0 }).title('name')).toBe('name');
    expect(needsBed({ clusters: 0, s3: true }).title('s3')).toContain('versitygw not built');
  });

  it('fails instead when the bed is required', () => {
    using place = scratch();
    vi.stubEnv('HEADWAY_BED_CACHE', place.directory);
    vi.stubEnv('HEADWAY_REQUIRE', 'browser,bed');
    expect(() => needsBed()).toThrow('HEADWAY_REQUIRE=bed, but etcd, kube-apiserver');
  });

  it('fails for nodes where either of the two is required', () => {
    using place = scratch();
    vi.stubEnv('HEADWAY_BED_CACHE', place.directory);
    vi.stubEnv('HEADWAY_REQUIRE', '');
    expect(needsBed({ clusters: 0, nodes: true }).title('pods')).toBe(
      'pods (skipped: kube-scheduler, kubelet not built, run: npm run bed -- build)',
    );
    for (const name of ['nodes', 'bed']) {
      vi.stubEnv('HEADWAY_REQUIRE', name);
      expect(() => needsBed({ clusters: 0, nodes: true })).toThrow(`HEADWAY_REQUIRE=${name}, but kube-scheduler`);
    }
  });

  it('asks for the old kubectl by a name of its own', () => {
    using place = scratch();
    vi.stubEnv('HEADWAY_BED_CACHE', place.directory);
    vi.stubEnv('HEADWAY_REQUIRE', 'bed');
    expect(needsOldKubectl().title('old')).toBe(
      'old (skipped: kubectl 1.20 not unpacked, run: scripts/debian.sh old-kubectl)',
    );
    vi.stubEnv('HEADWAY_REQUIRE', 'bed,old-kubectl');
    expect(() => needsOldKubectl()).toThrow('HEADWAY_REQUIRE=old-kubectl, but kubectl 1.20 not unpacked');
  });
});
