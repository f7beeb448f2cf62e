import { describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ScriptedCluster } from '../../../../test/scripted-cluster/index.ts';
import { Backup, PERSISTENT_VOLUME_CLAIM, POD } from '../../../api/index.ts';
import { NO_LOG, type JsonObject } from '../../../base/index.ts';
import type { ExecOptions, KubeClient, LogLine, LogOptions } from '../../../edge/kube/index.ts';
import { formatLine } from '../../../core/volumes/index.ts';
import { podMover } from './pod-mover.ts';
import { READY } from './pod-spec.ts';

const OWNER = {
  type: Backup,
  object: { apiVersion: 'velero.io/v1', kind: 'Backup', metadata: { name: 'b', namespace: 'velero', uid: 'u1' } },
};
const JOB = { kind: 'snapshot', uploader: 'stream', id: 'b-0123456789', path: '/v' } as const;

/** A pod that is talked to, and of which the test decides what is heard. */
class Talk {
  readonly clock = new FakeClock();
  readonly kube = new ScriptedCluster(this.clock);
  readonly #over = Promise.withResolvers<undefined>();
  says: readonly string[] = [];
  exec: (options: ExecOptions) => Promise<{ exitCode: number }> = async ({ signal }) => {
    await this.clock.sleep(10 * 24 * 3600_000, signal);
    return { exitCode: 0 };
  };

  async start() {
    const logs = async function* (this: Talk, _pod: unknown, { signal }: LogOptions): AsyncGenerator<LogLine> {
      for (const line of this.says) yield await Promise.resolve({ line });
      await Promise.race([this.#over.promise, this.clock.sleep(10 * 24 * 3600_000, signal)]);
    };
    const kube = Object.assign(this.kube, {
      logs: logs.bind(this),
      exec: (_pod: unknown, options: ExecOptions) => this.exec(options),
    }) as unknown as KubeClient;
    const claim = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data', namespace: 'shop' } };
    await this.kube.create({ type: PERSISTENT_VOLUME_CLAIM, namespace: 'shop' }, claim);
    const never = new AbortController().signal;
    const start = podMover(
      {
        ...{ namespace: 'shop', server: 'velero', owner: OWNER, attempt: 1, location: 'default', secrets: undefined },
        pod: { image: 'headway:1', claim: 'data', isReadOnly: true },
      },
      { kube, clock: this.clock, random: () => 0.5, log: NO_LOG },
      {
        ...{ signal: never, lasting: never, isCanceled: () => true },
        api: () => ({ call: (request) => request() }),
        onWaiting: () => ({ tell: () => undefined, explain: () => undefined, end: () => undefined }),
      },
    );
    const { ended, lines } = await start(JOB, { signal: never });
    ended.catch(() => undefined);
    await this.clock.advance(100);
    await this.#sets({ running: {} }, 'Running');
    return { ended, lines };
  }

  async ends(): Promise<void> {
    this.#over.resolve(undefined);
    await this.#sets({ terminated: { exitCode: 0 } }, 'Succeeded');
  }

  async #sets(state: JsonObject, phase: string): Promise<void> {
    const name = this.#podName();
    const status = { phase, containerStatuses: [{ name: 'mover', restartCount: 0, state }] };
    await this.kube.patch({ type: POD, namespace: 'shop', name }, { kind: 'merge', body: { status } });
    await this.clock.advance(100);
  }

  #podName(): string {
    const body = this.kube.calls.find(({ verb, target }) => verb === 'create' && target.type.kind === 'Pod')?.body;
    return (body as { metadata: { name: string } }).metadata.name;
  }
}

describe('a mover that is talked to', () => {
  it('is lost when its pod has started and is never heard to be ready', async () => {
    const talk = new Talk();
    const { ended } = await talk.start();
    await talk.clock.advance(70_000);
    await expect(ended).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('ready') as string,
    });
  });

  it('is lost when its pod has ended and nothing tells that the talk has', async () => {
    const talk = new Talk();
    talk.says = [READY];
    const { ended } = await talk.start();
    await talk.ends();
    await talk.clock.advance(200_000);
    await expect(ended).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('talk') as string,
    });
  });

  it('is lost when it has said its last word and does not end', async () => {
    const talk = new Talk();
    talk.says = [READY];
    talk.exec = async ({ stderr, signal }) => {
      await stderr?.(Buffer.from(formatLine({ line: 'completed', id: JOB.id, bytesDone: 7 })));
      await talk.clock.sleep(10 * 24 * 3600_000, signal);
      return { exitCode: 0 };
    };
    const { ended, lines } = await talk.start();
    void (async () => {
      for await (const _ of lines);
    })();
    await talk.clock.advance(60_000);
    await expect(ended).rejects.toMatchObject({
      code: 'unreachable',
      message: expect.stringContaining('last word') as string,
    });
  });

  it('is waited for while the store takes its time with what it said', async () => {
    const talk = new Talk();
    talk.says = [READY];
    talk.exec = async ({ stdout }) => {
      await stdout?.(Buffer.from('all of it'));
      return { exitCode: 0 };
    };
    const { ended } = await talk.start();
    let isOver = false;
    void ended.then(
      () => (isOver = true),
      () => (isOver = true),
    );
    await talk.ends();
    await talk.clock.advance(300_000);
    expect(isOver).toBe(false);
  });
});
