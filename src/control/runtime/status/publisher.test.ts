import { describe, expect, it } from 'vitest';
import { COMPLETED, OBJECT, running, setUpPublisher, TARGET } from '../../../../test/scripted-cluster/publisher.ts';
import { AppError } from '../../../base/index.ts';

describe('StatusPublisher', () => {
  it.each([{}, { subresource: 'status' as const }])('writes the first report at once, %o', async (options) => {
    const bed = await setUpPublisher(options);
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 1 } });
    expect(bed.patches()[0]?.body).toMatchObject({ metadata: { resourceVersion: '2' } });
  });

  it('writes at most once a second, and then the newest', async () => {
    const bed = await setUpPublisher();
    for (let i = 1; i <= 500; i += 1) {
      bed.publisher.publish(running(i));
      if (i % 100 === 0) await bed.clock.advance(500);
    }
    expect(bed.patches()).toHaveLength(3);
    await bed.clock.advance(1000);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 500 } });
  });

  it('removes what a newer report no longer says', async () => {
    const bed = await setUpPublisher();
    bed.publisher.publish(running(1, { etaSeconds: 9 }));
    await bed.clock.advance(1000);
    bed.publisher.publish(running(2));
    await bed.clock.advance(1000);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 2 } });
  });

  it('sends a change within a second also while it waits for something less urgent', async () => {
    const bed = await setUpPublisher();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    bed.publisher.publish(running(1, { etaSeconds: 9 }));
    await bed.clock.advance(1500);
    bed.publisher.publish(running(2));
    await bed.clock.advance(999);
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
  });

  it('does not wait for the second to end when the state changes', async () => {
    const bed = await setUpPublisher();
    bed.publisher.publish(running(0, { state: 'pending' }));
    await bed.clock.advance(10);
    bed.publisher.publish(running(0, { state: 'pending', stage: 'listing' }));
    await bed.clock.advance(10);
    bed.publisher.publish(running(1));
    await bed.clock.advance(10);
    expect(bed.status()).toMatchObject({ phase: 'running' });
  });

  it('keeps one write in flight, and the work never waits for it', async () => {
    const bed = await setUpPublisher();
    const answer = Promise.withResolvers<undefined>();
    bed.cluster.before = () => answer.promise;
    for (let i = 1; i <= 5; i += 1) {
      bed.publisher.publish(running(i));
      await bed.clock.advance(1000);
    }
    bed.cluster.before = () => undefined;
    expect(bed.patches()).toHaveLength(0);
    answer.resolve(undefined);
    await bed.clock.advance(0);
    expect(bed.patches()).toHaveLength(2);
    expect(bed.status()).toMatchObject({ progress: { done: 5 } });
  });

  it('logs and retries errors, and the newest report is what gets in', async () => {
    const bed = await setUpPublisher();
    bed.cluster.before = () => {
      throw new AppError('serverError', 'etcd has no leader');
    };
    bed.publisher.publish(running(1));
    await bed.clock.advance(900);
    bed.publisher.publish(running(2));
    await bed.clock.advance(60_000);
    expect(bed.log.lines[0]).toMatchObject({ level: 'warn', fields: { name: 'b1', err: 'etcd has no leader' } });
    bed.cluster.before = () => undefined;
    await bed.clock.advance(30_000);
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
  });

  it('tries again with the newest report, not with the one that failed', async () => {
    const bed = await setUpPublisher();
    const refuse = Promise.withResolvers<undefined>();
    bed.cluster.before = () => refuse.promise;
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    bed.publisher.publish(running(2));
    bed.cluster.before = () => undefined;
    refuse.reject(new AppError('serverError', 'etcd has no leader'));
    await bed.clock.advance(5000);
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
    expect(bed.patches()).toHaveLength(1);
  });

  it('goes on after a report that says nothing new', async () => {
    const bed = await setUpPublisher();
    for (const done of [1, 1, 2]) {
      bed.publisher.publish(running(done));
      await bed.clock.advance(1500);
    }
    expect(bed.status()).toMatchObject({ progress: { done: 2 } });
    expect(bed.patches()).toHaveLength(2);
  });

  it('overlooks no report, however soon after a write it comes', async () => {
    for (let turns = 0; turns < 60; turns += 1) {
      const bed = await setUpPublisher();
      const publishLater = async (): Promise<void> => {
        for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
        bed.publisher.publish(running(2));
      };
      bed.cluster.after = () => {
        bed.cluster.after = () => undefined;
        void publishLater();
      };
      bed.publisher.publish(running(1));
      await bed.clock.advance(1500);
      expect(bed.status(), `${turns} turns later`).toMatchObject({ progress: { done: 2 } });
    }
  });

  it('keeps a bug in statusOf away from the work', async () => {
    const bed = await setUpPublisher({
      statusOf: () => {
        throw new TypeError('bug');
      },
    });
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    expect(bed.log.lines).toMatchObject([{ message: 'progress not written', fields: { err: 'bug' } }]);
  });

  it('applies a report to the fresh version when somebody else has written', async () => {
    const bed = await setUpPublisher();
    await bed.touch();
    bed.publisher.publish(running(7));
    await bed.clock.advance(0);
    // The refused patch did not change the object, but it reached the server.
    expect(bed.cluster.calls.slice(-3).map((call) => call.verb)).toEqual(['patch', 'get', 'patch']);
    expect(bed.status()).toMatchObject({ progress: { done: 7 } });
  });

  it('stops for good when somebody has ended the operation', async () => {
    const bed = await setUpPublisher();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await bed.cluster.patch(TARGET, { kind: 'merge', body: { status: { phase: 'failed' } } });
    bed.publisher.publish(running(2));
    await bed.clock.advance(5000);
    expect(bed.status()).toEqual({ phase: 'failed', progress: { done: 1 } });
    expect(await bed.publisher.finish(COMPLETED)).toBe('superseded');
    expect(bed.status()).toEqual({ phase: 'failed', progress: { done: 1 } });
  });

  it.each(['deleted', 'made anew'])('stops when the object is %s', async (how) => {
    const bed = await setUpPublisher();
    await bed.cluster.delete(TARGET);
    if (how === 'made anew') await bed.cluster.create(TARGET, OBJECT);
    expect(await bed.publisher.finish(COMPLETED)).toBe('superseded');
    expect(bed.status()).toBeUndefined();
  });

  it('writes the last report and the ending as one, after the write in flight', async () => {
    const bed = await setUpPublisher();
    const answer = Promise.withResolvers<undefined>();
    bed.cluster.before = () => answer.promise;
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    const finished = bed.publisher.finish(COMPLETED, { completionTimestamp: 'now' });
    bed.publisher.publish(running(3));
    await bed.clock.advance(0);
    expect(bed.patches()).toHaveLength(0);
    answer.resolve(undefined);
    expect(await finished).toBe('written');
    expect(bed.patches().map((call) => call.body)).toMatchObject([
      { status: { phase: 'running' } },
      { status: { phase: 'completed', progress: { done: 1000 }, completionTimestamp: 'now' } },
    ]);
    expect(await bed.publisher.finish(running(1))).toBe('written');
    expect(bed.patches()).toHaveLength(2);
  });

  it('sends the last write at once when the one in flight fails', async () => {
    const bed = await setUpPublisher();
    const refuse = Promise.withResolvers<undefined>();
    bed.cluster.before = () => refuse.promise;
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(0);
    bed.cluster.before = () => undefined;
    refuse.reject(new AppError('serverError', 'refused'));
    await bed.clock.advance(0);
    expect(await finished).toBe('written');
  });

  it('retries the last write until it is in', async () => {
    const bed = await setUpPublisher();
    bed.cluster.before = () => {
      throw new AppError('unreachable', 'connection refused');
    };
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(600_000);
    bed.cluster.before = () => undefined;
    await bed.clock.advance(30_000);
    expect(await finished).toBe('written');
    expect(bed.log.lines[0]).toMatchObject({ level: 'error', message: 'last status not written' });
  });

  it('recognises its own last write whose answer was lost', async () => {
    const bed = await setUpPublisher();
    bed.cluster.after = (call) => {
      if (call.verb === 'patch') throw new AppError('unreachable', 'connection reset');
    };
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(5000);
    expect(await finished).toBe('written');
    // The second attempt was refused because of the first.
    expect(bed.patches()).toHaveLength(2);
    expect(bed.cluster.peek(TARGET)?.metadata.resourceVersion).toBe('3');
  });

  it('gives up only when its signal says that another leads', async () => {
    const bed = await setUpPublisher();
    bed.cluster.before = () => {
      throw new AppError('unreachable', 'connection refused');
    };
    const finished = bed.publisher.finish(COMPLETED);
    await bed.clock.advance(10_000);
    bed.stop.abort(new AppError('canceled', 'deposed'));
    await bed.clock.advance(0);
    expect(await finished).toBe('abandoned');
    expect(bed.clock.sleeping).toBe(0);
  });

  it('asks before each write whether it still may', async () => {
    let isLeading = true;
    const bed = await setUpPublisher({ mayWrite: () => isLeading });
    bed.publisher.publish(running(1));
    await bed.clock.advance(100);
    bed.publisher.publish(running(2));
    isLeading = false;
    await bed.clock.advance(5000);
    expect(await bed.publisher.finish(COMPLETED)).toBe('abandoned');
    expect(bed.status()).toMatchObject({ progress: { done: 1 } });
  });

  it('asks also before it writes once more what the next leader has written', async () => {
    let isLeading = true;
    const bed = await setUpPublisher({ mayWrite: () => isLeading });
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await bed.touch();
    bed.cluster.before = (call) => {
      // Suspended during the read, it resumes before any timer can fire.
      if (call.verb === 'get') isLeading = false;
    };
    const before = bed.patches().length;
    await expect(bed.publisher.finish(COMPLETED)).resolves.toBe('abandoned');
    // The patch that met the conflict.
    expect(bed.patches().length - before).toBe(1);
    expect(bed.status()).toEqual({ phase: 'running', progress: { done: 1 } });
  });

  it('ends a write that hangs at its deadline', async () => {
    const bed = await setUpPublisher({ writeDeadlineMs: 2000 });
    bed.cluster.before = () => new Promise(() => undefined);
    bed.publisher.publish(running(1));
    await bed.clock.advance(2000);
    expect(bed.log.lines[0]?.fields['err']).toContain('longer than 2000 ms');
    bed.cluster.before = () => undefined;
    await bed.clock.advance(1000);
    expect(bed.status()).toMatchObject({ progress: { done: 1 } });
  });
});
