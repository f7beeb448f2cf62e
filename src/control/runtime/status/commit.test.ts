import { describe, expect, it } from 'vitest';
import { AppError } from '../../../base/index.ts';
import { COMPLETED, running, setUpPublisher, TARGET } from '../../../../test/scripted-cluster/publisher.ts';

type Bed = Awaited<ReturnType<typeof setUpPublisher>>;

describe('commit', () => {
  const never = new AbortController().signal;

  it('resolves when its fields are stored, and later writes keep them', async () => {
    const bed = await setUpPublisher();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await bed.publisher.commit(running(2), { status: { openHooks: ['db'] } }, never);
    expect(bed.status()).toMatchObject({ openHooks: ['db'], progress: { done: 2 } });
    bed.publisher.publish(running(3));
    await bed.clock.advance(1000);
    expect(bed.status()).toMatchObject({ openHooks: ['db'], progress: { done: 3 } });
    await bed.publisher.commit(running(4), { status: { openHooks: null } }, never);
    expect(bed.status()).not.toHaveProperty('openHooks');
  });

  it('is kept by the last write', async () => {
    const bed = await setUpPublisher();
    await bed.publisher.commit(running(1), { status: { openHooks: ['db'] } }, never);
    expect(await bed.publisher.finish(COMPLETED, { phase: 'failed' })).toBe('written');
    expect(bed.status()).toMatchObject({ phase: 'failed', openHooks: ['db'] });
  });

  it('adds and removes a finalizer in the same write', async () => {
    const bed = await setUpPublisher();
    const finalizer = { name: 'headway.io/hooks', isWanted: true };
    await bed.publisher.commit(running(1), { status: { a: 1 }, finalizer }, never);
    expect(bed.cluster.peek(TARGET)?.metadata['finalizers']).toEqual(['headway.io/hooks']);
    expect(bed.patches()).toHaveLength(1);
    await bed.publisher.commit(running(2), { finalizer: { ...finalizer, isWanted: false } }, never);
    expect(bed.cluster.peek(TARGET)?.metadata['finalizers']).toEqual([]);
  });

  it('waits for the write that is under way, then for its own', async () => {
    const bed = await setUpPublisher();
    const gate = Promise.withResolvers<undefined>();
    bed.cluster.before = async ({ verb }) => {
      if (verb === 'patch' && bed.patches().length === 0) await gate.promise;
    };
    bed.publisher.publish(running(1));
    let isStored = false;
    const stored = bed.publisher.commit(running(2), { status: { a: 1 } }, never).then(() => {
      isStored = true;
    });
    await bed.clock.advance(2000);
    expect(isStored).toBe(false);
    gate.resolve(undefined);
    await bed.clock.advance(10);
    await stored;
    expect(bed.patches()).toHaveLength(2);
    expect(bed.status()).toMatchObject({ a: 1 });
  });

  it('is tried again while the server refuses, and soon', async () => {
    const bed = await setUpPublisher();
    let refusals = 3;
    bed.cluster.before = ({ verb }) => {
      if (verb === 'patch' && (refusals -= 1) >= 0) throw new AppError('serverError', 'etcd is slow');
    };
    const stored = bed.publisher.commit(running(1), { status: { a: 1 } }, never);
    await bed.clock.advance(2000);
    await stored;
    expect(bed.status()).toMatchObject({ a: 1 });
  });

  it('rejects when its signal is aborted, also during a write that fails', async () => {
    const bed = await setUpPublisher();
    const gate = Promise.withResolvers<undefined>();
    bed.cluster.before = async ({ verb }) => {
      if (verb === 'patch') await gate.promise;
    };
    const stop = new AbortController();
    const stored = bed.publisher.commit(running(1), { status: { a: 1 } }, stop.signal);
    stop.abort(new AppError('canceled', 'enough'));
    await expect(stored).rejects.toThrow('enough');
    gate.reject(new AppError('serverError', 'no'));
    await bed.clock.advance(100);
    expect(bed.status()).toBeUndefined();
  });

  it.each([
    ['after the end', async (bed: Bed) => await bed.publisher.finish(COMPLETED), 'it has ended'],
    ['of an object that is gone', async (bed: Bed) => await bed.cluster.delete(TARGET), 'it is gone'],
    [
      'without leadership',
      (bed: Bed) => {
        bed.stop.abort();
        return Promise.resolve();
      },
      'no longer leads',
    ],
  ])('rejects %s', async (_, change, why) => {
    const bed = await setUpPublisher();
    bed.publisher.publish(running(1));
    await bed.clock.advance(0);
    await change(bed);
    await expect(bed.publisher.commit(running(2), { status: { a: 1 } }, never)).rejects.toThrow(why);
  });
});

it('is refused while another process may lead, and nothing is written', async () => {
  const bed = await setUpPublisher({ mayWrite: () => false });
  const never = new AbortController().signal;
  const stored = bed.publisher.commit(running(1), { status: { openHooks: ['db'] } }, never);
  await expect(stored).rejects.toThrow('no longer leads');
  expect(bed.patches()).toEqual([]);
});
