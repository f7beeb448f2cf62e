import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../test/scripted-cluster/index.ts';
import { POD } from '../../api/index.ts';
import { NO_LOG } from '../../base/index.ts';
import type { KubeObject } from '../../edge/kube/index.ts';
import { PodWatch } from './pod-watch.ts';
import { whyNotUp } from './why-not-up.ts';

const LIMIT_MS = 4 * 3600_000;
const wanted = { container: 'main', waitForReady: false };
const running = { phase: 'Running', containerStatuses: [{ name: 'main', state: { running: {} } }] };

function setUp() {
  const clock = new FakeClock();
  const kube = new ScriptedCluster(clock);
  const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'db', namespace: 'shop', labels: { of: 'r' } } };
  const create = (): Promise<KubeObject> => kube.create({ type: POD, namespace: 'shop' }, structuredClone(object));
  const remove = (): Promise<unknown> => kube.delete({ type: POD, namespace: 'shop', name: 'db' });
  const signal = new AbortController().signal;
  const pods = new PodWatch({ labelSelector: 'of=r', signal }, { kube, clock, random: () => 0.5, log: NO_LOG });
  const whys: string[] = [];
  const waitFor = (pod: KubeObject): Promise<void> =>
    pods.waitFor(pod, LIMIT_MS, {
      whyNot: (current) => whyNotUp(current, wanted),
      onWaiting: (why) => whys.push(why),
    });
  return { clock, kube, create, remove, pods, waitFor, whys };
}

describe('a pod that is waited for', () => {
  it('is up when its container runs', async () => {
    const { clock, kube, create, waitFor, whys, pods } = setUp();
    const waiting = waitFor(await create());
    await clock.advance(1000);
    const patch = { kind: 'merge', body: { status: running } } as const;
    await kube.patch({ type: POD, namespace: 'shop', name: 'db' }, patch);
    await clock.advance(1000);
    await waiting;
    expect(whys).toEqual(['the pod is Pending']);
    await pods.close();
    expect(kube.openWatches).toBe(0);
  });

  it.each(['before the watch', 'during the watch'])('is not waited for when it was deleted %s', async (moment) => {
    const { clock, create, remove, waitFor, pods } = setUp();
    const pod = await create();
    if (moment === 'before the watch') await remove();
    const waiting = expect(waitFor(pod)).rejects.toThrow('the pod was deleted');
    await clock.advance(1000);
    if (moment === 'during the watch') await remove();
    await clock.advance(60_000);
    await waiting;
    await pods.close();
  });

  it('is not mistaken for another one that has its name now', async () => {
    const { clock, create, remove, waitFor, pods } = setUp();
    const pod = await create();
    await remove();
    await create();
    const waiting = expect(waitFor(pod)).rejects.toThrow('the pod was deleted');
    await clock.advance(60_000);
    await waiting;
    await pods.close();
  });
});
