import { beforeEach, describe, expect, it } from 'vitest';
import { memoryServer, TYPES, type MemoryServer } from '../../../../test/pocket/memory-server.ts';
import { select, type Selection, type SelectionText } from '../list/selection.ts';
import type { WatchSink } from './watch-hub.ts';

class Recorder implements WatchSink {
  readonly seen: string[] = [];
  event: WatchSink['event'] = (type, object) => {
    this.seen.push(`${type} ${object.name}`);
  };
  bookmark: WatchSink['bookmark'] = (_rv, isEnd) => {
    this.seen.push(isEnd ? 'END' : 'BOOKMARK');
  };
  expired: WatchSink['expired'] = () => {
    this.seen.push('EXPIRED');
  };
  end: WatchSink['end'] = () => {
    this.seen.push('CLOSED');
  };
}

describe('WatchHub', () => {
  let server: MemoryServer;
  let recorder: Recorder;
  const selection = (text: SelectionText = {}): Selection => {
    const resource = server.api.types.find('', 'v1', 'configmaps');
    if (resource === undefined) throw new Error('no ConfigMap in the table');
    return select(resource, text);
  };
  const create = (name: string, labels: Record<string, string> = {}, namespace = 'default'): Promise<unknown> =>
    server.client.create(TYPES.configMaps, { metadata: { name, namespace, labels } });
  const relabel = (name: string, labels: Record<string, string | null>): Promise<unknown> =>
    server.client.patch({ type: TYPES.configMaps, namespace: 'default', name }, 'merge', { metadata: { labels } });

  beforeEach(async () => {
    server = await memoryServer();
    recorder = new Recorder();
  });

  it('begins with everything, or with what came after a version', async () => {
    await create('a');
    const { rv } = server.api.store;
    await create('b');
    server.api.hub.start(selection(), recorder);
    server.api.hub.start(selection(), recorder, { rv });
    expect(recorder.seen).toEqual(['ADDED a', 'ADDED b', 'ADDED b']);
  });

  it('marks the end of the beginning when asked to, and leaves it out when asked to', async () => {
    await create('a');
    server.api.hub.start(selection(), recorder, { sendInitialEvents: true, bookmarks: true });
    server.api.hub.start(selection(), recorder, { sendInitialEvents: false });
    expect(recorder.seen).toEqual(['ADDED a', 'END']);
  });

  it('follows what is selected: in, changed, out', async () => {
    server.api.hub.start(selection({ namespace: 'default', labelSelector: 'on=yes' }), recorder);
    await create('a');
    await relabel('a', { on: 'yes' });
    await relabel('a', { more: 'x' });
    await relabel('a', { on: null });
    await create('elsewhere', { on: 'yes' }, 'kube-system');
    await create('b', { on: 'yes' });
    await server.client.delete({ type: TYPES.configMaps, namespace: 'default', name: 'b' });
    expect(recorder.seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b', 'DELETED b']);
  });

  it('says that a version is too old, and waits for one that is to come', async () => {
    server.api.hub.start(selection(), recorder, { rv: 1_000 });
    await create('too-early');
    expect(recorder.seen).toEqual([]);
    for (let i = 0; i < 10_050; i += 1) {
      const { committed } = server.api.store.put('configmaps', {
        kind: 'ConfigMap',
        apiVersion: 'v1',
        metadata: { name: 'noise', namespace: 'default' },
      });
      if (i % 1000 === 0) await committed;
    }
    await create('last');
    expect(recorder.seen.at(-1)).toBe('ADDED last');
    const late = new Recorder();
    server.api.hub.start(selection(), late, { rv: 2 });
    expect(late.seen).toEqual(['EXPIRED']);
  });

  it('sends bookmarks and ends watches in time', async () => {
    const stopping = new AbortController();
    const running = server.api.hub.run(server.clock, stopping.signal);
    server.api.hub.start(selection(), recorder, { rv: server.api.store.rv, bookmarks: true, timeoutMs: 25_000 });
    await server.clock.advance(26_000);
    expect(recorder.seen).toEqual(['BOOKMARK', 'BOOKMARK', 'CLOSED']);
    expect(server.api.hub.size).toBe(0);
    stopping.abort();
    await running;
  });

  it('stops when the client goes', async () => {
    const stop = server.api.hub.start(selection(), recorder);
    stop();
    await create('unseen');
    expect(recorder.seen).toEqual([]);
    expect(server.api.hub.size).toBe(0);
  });
});
