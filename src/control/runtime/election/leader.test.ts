import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/index.ts';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { recordingLog } from '../../../../test/scripted-cluster/recording-log.ts';
import type { Kube } from '../../../edge/kube/port.ts';
import { LEASE } from '../../../api/meta/builtin-types.ts';
import { holderOf } from './lease.ts';
import { Leader, type LeaderOptions } from './leader.ts';
import type { Leadership } from './leadership.ts';

const TARGET = { type: LEASE, namespace: 'velero', name: 'headway' };

function setUp() {
  const clock = new FakeClock();
  const cluster = new ScriptedCluster(clock);
  const log = recordingLog();
  const candidate = (identity: string, options: Partial<LeaderOptions> = {}, kube: Kube = cluster) =>
    new Leader({ namespace: 'velero', name: 'headway', identity, ...options }, { kube, clock, log, random: () => 0 });
  const campaign = (leader: Leader, signal = new AbortController().signal) => {
    const won: { leadership?: Leadership } = {};
    void leader.acquire(signal).then(
      (leadership) => (won.leadership = leadership),
      () => undefined,
    );
    return won;
  };
  const holder = () => {
    const lease = cluster.peek(TARGET);
    return lease === undefined ? undefined : holderOf(lease);
  };
  return { clock, cluster, log, candidate, campaign, holder };
}

describe('Leader', () => {
  it('takes a lease nobody has, and renews it', async () => {
    const { clock, cluster, candidate, campaign, holder } = setUp();
    const leader = candidate('a');
    const won = campaign(leader);
    await clock.advance(60_000);
    expect([holder(), leader.isLeading(), won.leadership?.signal.aborted]).toEqual(['a', true, false]);
    expect(cluster.peek(TARGET)?.['spec']).toMatchObject({ renewTime: '2026-01-01T00:01:00.000000Z' });
    expect(cluster.calls.every((call) => call.verb !== 'replace' || hasVersion(call.body))).toBe(true);
  });

  it('waits while another gives signs of life, and takes over a lease duration after the last', async () => {
    const { clock, cluster, candidate, campaign, holder } = setUp();
    campaign(candidate('a'));
    await clock.advance(0);
    const b = campaign(candidate('b'));
    await clock.advance(60_000);
    expect(b.leadership).toBeUndefined();
    cluster.before = (call) => {
      // a has vanished; b still reads and writes.
      if (call.verb === 'replace' && holderIn(call.body) === 'a') throw new AppError('unreachable', 'cable cut');
    };
    await clock.advance(14_000);
    expect(holder()).toBe('a');
    await clock.advance(4000);
    expect([holder(), b.leadership?.isHeld()]).toEqual(['b', true]);
    expect(cluster.peek(TARGET)?.['spec']).toMatchObject({ leaseTransitions: 1 });
  });

  it('stops the work at the renew deadline, before anybody else may begin', async () => {
    const { clock, cluster, candidate, campaign, holder } = setUp();
    const leader = candidate('a');
    const won = campaign(leader);
    await clock.advance(0);
    const startedAt = clock.now();
    cluster.before = (call) => {
      if (call.verb === 'replace') throw new AppError('unreachable', 'cable cut');
    };
    let deposedAt = 0;
    won.leadership?.signal.addEventListener('abort', () => (deposedAt = clock.now()));
    await clock.advance(60_000);
    expect(deposedAt - startedAt).toBe(10_000);
    expect([leader.isLeading(), holder()]).toEqual([false, 'a']);
  });

  it.each(['taking it', 'a renewal'])('counts from when %s was sent, not from its answer', async (what) => {
    const { clock, cluster, candidate, campaign } = setUp();
    let sentAt: number | undefined;
    cluster.after = async (call) => {
      if (call.verb !== (what === 'taking it' ? 'create' : 'replace') || sentAt !== undefined) return;
      sentAt = clock.now();
      await clock.sleep(7000);
      cluster.before = () => {
        throw new AppError('unreachable', 'cable cut');
      };
    };
    const won = campaign(candidate('a'));
    await clock.advance(9000);
    let deposedAt = 0;
    won.leadership?.signal.addEventListener('abort', () => (deposedAt = clock.now()));
    await clock.advance(60_000);
    expect(deposedAt - (sentAt ?? 0)).toBe(10_000);
  });

  it.each([3_600_000, -3_600_000])(
    'waits for a lease duration also when its wall clock is set by %d ms meanwhile',
    async (byMs) => {
      const { clock, cluster, log, candidate, campaign } = setUp();
      campaign(candidate('a'));
      await clock.advance(0);
      let setMs = 0;
      const time = { now: () => clock.now() + setMs, uptime: () => clock.uptime(), sleep: clock.sleep.bind(clock) };
      const b = new Leader(
        { namespace: 'velero', name: 'headway', identity: 'b' },
        { kube: cluster, clock: time, log, random: () => 0 },
      );
      const won = campaign(b);
      await clock.advance(0);
      cluster.before = (call) => {
        if (call.verb === 'replace' && holderIn(call.body) === 'a') throw new AppError('unreachable', 'cable cut');
      };
      setMs = byMs;
      await clock.advance(14_000);
      expect(won.leadership).toBeUndefined();
      await clock.advance(4000);
      expect(won.leadership?.isHeld()).toBe(true);
    },
  );

  it('does not lead a moment too long after a pause that no timer noticed', () => {
    const { clock, cluster, log } = setUp();
    let suspendedMs = 0;
    const time = { now: () => clock.now() + suspendedMs, uptime: () => clock.uptime(), sleep: clock.sleep.bind(clock) };
    const leader = new Leader(
      { namespace: 'velero', name: 'headway', identity: 'a' },
      { kube: cluster, clock: time, log, random: () => 0 },
    );
    return leader.acquire(new AbortController().signal).then((leadership) => {
      expect(leader.isLeading()).toBe(true);
      suspendedMs = 11_000;
      expect([leader.isLeading(), leadership.signal.aborted]).toEqual([false, true]);
    });
  });

  it('is deposed at once when it sees another holder, or none', async () => {
    const { clock, cluster, candidate, campaign, log } = setUp();
    const won = campaign(candidate('a'));
    await clock.advance(0);
    await cluster.patch(TARGET, { kind: 'merge', body: { spec: { holderIdentity: 'b' } } });
    await clock.advance(2000);
    expect(won.leadership?.isHeld()).toBe(false);
    expect(log.lines.at(-1)).toMatchObject({ message: 'deposed', fields: { why: 'it is held by b' } });
  });

  it('is deposed when the lease is deleted, and the others wait as if it were there', async () => {
    const { clock, cluster, candidate, campaign, holder } = setUp();
    const a = campaign(candidate('a'));
    await clock.advance(0);
    campaign(candidate('b'));
    await clock.advance(1000);
    await cluster.delete(TARGET);
    await clock.advance(1000);
    expect(a.leadership?.isHeld()).toBe(false);
    await clock.advance(12_000);
    expect(holder()).toBeUndefined();
    await clock.advance(4000);
    expect(holder()).toBe('b');
  });

  it('goes on when a renewal was in although its answer was lost, or when the metadata was edited', async () => {
    const { clock, cluster, candidate, campaign } = setUp();
    const won = campaign(candidate('a'));
    await clock.advance(0);
    let lost = 0;
    cluster.after = (call) => {
      if (call.verb === 'replace' && ++lost % 2 === 1) throw new AppError('unreachable', 'connection reset');
    };
    await clock.advance(30_000);
    await cluster.patch(TARGET, { kind: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    await clock.advance(30_000);
    expect(won.leadership?.isHeld()).toBe(true);
  });

  it('gives the lease away when released, and the next one need not wait', async () => {
    const { clock, cluster, candidate, campaign, holder } = setUp();
    const a = campaign(candidate('a'));
    await clock.advance(0);
    const b = campaign(candidate('b'));
    await clock.advance(3000);
    await a.leadership?.release(3000);
    expect([holder(), a.leadership?.isHeld()]).toEqual(['', false]);
    await clock.advance(2000);
    expect([holder(), b.leadership?.isHeld()]).toEqual(['b', true]);
    const calls = cluster.calls.length;
    await a.leadership?.release(3000);
    expect(cluster.calls).toHaveLength(calls);
  });

  it('releases also when the last renewal was in without its knowing, and lets it expire when it cannot', async () => {
    const { clock, cluster, candidate, campaign, holder, log } = setUp();
    const a = campaign(candidate('a'));
    await clock.advance(0);
    await cluster.patch(TARGET, { kind: 'merge', body: { metadata: { labels: { a: 'b' } } } });
    await a.leadership?.release(3000);
    expect(holder()).toBe('');
    const b = campaign(candidate('b'));
    await clock.advance(0);
    cluster.before = () => {
      throw new AppError('unreachable', 'cable cut');
    };
    await b.leadership?.release(3000);
    expect([holder(), log.lines.at(-1)?.message]).toEqual(['b', 'lease not released, it will expire']);
  });

  it('goes on trying while the server fails, and stops when told', async () => {
    const { clock, cluster, candidate, campaign, log } = setUp();
    const stop = new AbortController();
    cluster.before = () => {
      throw new AppError('forbidden', 'leases is forbidden');
    };
    const leader = candidate('a');
    const won = campaign(leader, stop.signal);
    await clock.advance(10_000);
    expect(leader.vacancy()).toBeUndefined();
    await clock.advance(10_000);
    expect(leader.vacancy()).toEqual({ forMs: 20_000, reason: 'leases is forbidden' });
    expect(log.lines[0]).toMatchObject({ level: 'warn', fields: { err: 'leases is forbidden', identity: 'a' } });
    stop.abort(new AppError('canceled', 'stopping'));
    await clock.advance(0);
    expect([won.leadership, clock.sleeping]).toEqual([undefined, 0]);
  });

  it.each([{ identity: '' }, { renewDeadlineMs: 15_000 }, { retryPeriodMs: 10_000 }, { retryPeriodMs: 0 }])(
    'refuses settings that cannot be safe: %o',
    (options) => {
      const { candidate } = setUp();
      expect(() => candidate('a', options)).toThrow(/lease velero\/headway/);
    },
  );
});

function holderIn(body: unknown): unknown {
  return (body as { spec: { holderIdentity: string } }).spec.holderIdentity;
}
function hasVersion(body: unknown): boolean {
  return (body as { metadata: { resourceVersion?: string } }).metadata.resourceVersion !== undefined;
}
