import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { isAppError, type JsonObject } from '../../src/base/index.ts';
import { Reflector, type ReflectorOptions } from '../../src/control/runtime/index.ts';
import type { KubeClient, KubeObject, Target, WatchEvent } from '../../src/edge/kube/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { onEveryTarget, type Place } from '../client-target.ts';
import { collect } from '../collect.ts';
import { eventually } from '../eventually.ts';
import { clientFor } from '../kube-client.ts';
import { CONFIG_MAPS, newNamespace, objectOf } from '../kube-kinds.ts';
import { Relay } from '../relay.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';

const byName = (a: KubeObject, b: KubeObject): number => (a.metadata.name < b.metadata.name ? -1 : 1);

async function versionOf(kube: KubeClient, target: Target): Promise<string> {
  return (await collect(kube.list(target))).at(-1)!.resourceVersion;
}

async function contentOf(kube: KubeClient, target: Target): Promise<KubeObject[]> {
  return (await collect(kube.list(target))).flatMap(({ items }) => [...items]).sort(byName);
}

/** The first events of a watch, as many as wanted; bookmarks come when they like and are left out. */
async function changes(events: AsyncIterable<WatchEvent>, count: number): Promise<string[]> {
  const seen: string[] = [];
  for await (const event of events) {
    if (event.type === 'BOOKMARK') continue;
    if (seen.push(`${event.type} ${event.object.metadata.name}`) === count) break;
  }
  return seen;
}

/** A reflector that runs until the test is over, and a mirror made only of what its cache told. */
async function mirrored(kube: KubeClient, options: ReflectorOptions) {
  const log = recordingLog();
  const reflector = new Reflector(options, { kube, clock: systemClock, log, random: Math.random });
  const mirror = new Map<string, KubeObject>();
  reflector.cache.subscribe((change) => {
    if (change.type === 'deleted') mirror.delete(change.key);
    else mirror.set(change.key, change.object);
  });
  const stop = new AbortController();
  const ended = reflector.run(stop.signal);
  onTestFinished(async () => {
    stop.abort();
    await ended;
  });
  await reflector.ready;
  return {
    expires: () => log.lines.filter(({ message }) => message === 'watch expired').length,
    breaks: () => log.lines.filter(({ message }) => message === 'watch broke').length,
    content: () => [...mirror.values()].sort(byName),
  };
}

/** A client that reaches the server over a line that can be broken. */
async function clientOver(place: Place): Promise<{ kube: KubeClient; relay: Relay }> {
  const { server, kubeconfig, directory } = place.target;
  const relay = await Relay.to(server);
  const file = join(directory, 'relay.kubeconfig');
  writeFileSync(file, readFileSync(kubeconfig, 'utf8').replace(server, `https://127.0.0.1:${relay.port}`));
  const kube = await clientFor(file);
  onTestFinished(async () => {
    await kube.close();
    await relay[Symbol.asyncDispose]();
  });
  return { kube, relay };
}

/** Writes without pause, also while nobody answers: creates, changes and deletes a few objects over and over. */
async function scribble(kube: KubeClient, target: Target, signal: AbortSignal): Promise<number> {
  let written = 0;
  for (let turn = 0; !signal.aborted; turn += 1) {
    const name = `s-${turn % 7}`;
    const steps = [
      () => kube.create(target, objectOf(CONFIG_MAPS, name, { data: { turn: String(turn) } })),
      () => kube.patch({ ...target, name }, { kind: 'merge', body: { data: { turn: `${turn} again` } } }),
      ...(turn % 3 === 0 ? [] : [() => kube.delete({ ...target, name })]),
    ];
    for (const step of steps) {
      try {
        await step();
        written += 1;
      } catch (error) {
        // The server is away, or an answer was lost and the step was done after all.
        if (!isAppError(error, 'unreachable', 'timeout', 'serverError', 'alreadyExists', 'notFound')) throw error;
      }
    }
  }
  return written;
}

onEveryTarget('watching', (place) => {
  const newMaps = async () => ({ type: CONFIG_MAPS, namespace: await newNamespace(place.kube) });
  const put = (target: Target, name: string, fields: JsonObject = {}) =>
    place.kube.create(target, objectOf(CONFIG_MAPS, name, fields));

  it('tells every change in order, and only of its namespace', async () => {
    const [maps, others] = [await newMaps(), await newMaps()];
    const resourceVersion = await versionOf(place.kube, maps);
    const seen: WatchEvent[] = [];
    await put(others, 'elsewhere');
    const created = await put(maps, 'one');
    await place.kube.patch({ ...maps, name: 'one' }, { kind: 'merge', body: { data: { a: 'b' } } });
    await place.kube.delete({ ...maps, name: 'one' });
    await put(maps, 'last');
    for await (const event of place.kube.watch(maps, { resourceVersion })) {
      if (event.type === 'BOOKMARK' || event.object.metadata.name === 'kube-root-ca.crt') continue;
      if (seen.push(event) === 4) break;
    }
    expect(seen.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED']);
    expect(seen[0]).toEqual({
      type: 'ADDED',
      object: created,
      resourceVersion: created.metadata.resourceVersion,
    });
    expect(seen[2]).toMatchObject({ object: { data: { a: 'b' } } });
    const versions = seen.map((event) => Number(event.resourceVersion));
    expect(versions).toEqual([...new Set(versions)].sort((a, b) => a - b));
  });

  it('tells who comes into a selection and who leaves it', async () => {
    const maps = await newMaps();
    const resourceVersion = await versionOf(place.kube, maps);
    const watch = place.kube.watch(maps, { resourceVersion, labelSelector: 'colour=red' });
    const paint = (colour: string) =>
      place.kube.patch({ ...maps, name: 'one' }, { kind: 'merge', body: { metadata: { labels: { colour } } } });
    await put(maps, 'one', { metadata: { labels: { colour: 'blue' } } });
    await paint('red');
    await paint('blue');
    await put(maps, 'two', { metadata: { labels: { colour: 'red' } } });
    expect(await changes(watch, 3)).toEqual(['ADDED one', 'DELETED one', 'ADDED two']);
  });

  it('ends with the reason of its signal', async () => {
    const maps = await newMaps();
    await put(maps, 'one');
    const stop = new AbortController();
    const reason = new Error('enough');
    const watching = collect(
      (async function* () {
        for await (const event of place.kube.watch(maps, {
          signal: stop.signal,
          fieldSelector: 'metadata.name=one',
        })) {
          yield event;
          stop.abort(reason);
        }
      })(),
    );
    await expect(watching).rejects.toBe(reason);
  });

  it('hears bookmarks of what it does not follow', async () => {
    const maps = await newMaps();
    const quiet = { labelSelector: 'nobody', inactivityMs: 60_000 };
    for await (const event of place.kube.watch(maps, quiet)) {
      expect(event.type).toBe('BOOKMARK');
      expect(Number(event.resourceVersion)).toBeGreaterThan(0);
      break;
    }
    expect.assertions(2);
  }, 60_000);

  it('ends in peace, not by silence, where nothing happens', async () => {
    const maps = await newMaps();
    const { metadata } = await put(maps, 'one');
    const resourceVersion = metadata.resourceVersion!;
    const watch = place.kube.watch(maps, { resourceVersion, labelSelector: 'nobody', inactivityMs: 3000 });
    const changed = (await collect(watch)).filter(({ type }) => type !== 'BOOKMARK');
    expect(changed).toEqual([]);
  });

  it('is told that its past is gone', async () => {
    const maps = await newMaps();
    const resourceVersion = await versionOf(place.kube, maps);
    await put(maps, 'later');
    await place.target.restart();
    await expect(collect(place.kube.watch(maps, { resourceVersion }))).rejects.toMatchObject({ code: 'gone' });
  }, 90_000);

  it('keeps a cache equal to the cluster while the server crashes under load', async () => {
    const maps = await newMaps();
    const mirror = await mirrored(place.kube, { target: maps, inactivityMs: 20_000 });
    const stop = new AbortController();
    const writing = Promise.all([0, 1].map(() => scribble(place.kube, maps, stop.signal)));
    await eventually(() => {
      expect(mirror.content().length).toBeGreaterThan(1);
    });
    await place.target.restart();
    await put(maps, 'after-the-crash');
    await eventually(
      () => {
        expect(mirror.content().map(({ metadata }) => metadata.name)).toContain('after-the-crash');
      },
      { withinMs: 45_000 },
    );
    stop.abort();
    const written = await writing;
    await eventually(async () => {
      expect(mirror.content()).toEqual(await contentOf(place.kube, maps));
    });
    expect(Math.min(...written)).toBeGreaterThan(0);
  }, 120_000);

  it('lists again when it was away for too long, and notices what was deleted meanwhile', async () => {
    const maps = await newMaps();
    const { kube, relay } = await clientOver(place);
    await Promise.all(['goes', 'stays', 'changes'].map((name) => put(maps, name)));
    const mirror = await mirrored(kube, { target: maps });
    relay.cut();
    await place.kube.delete({ ...maps, name: 'goes' });
    await place.kube.patch({ ...maps, name: 'changes' }, { kind: 'merge', body: { data: { new: 'yes' } } });
    await put(maps, 'comes');
    await place.target.bed?.clusters[0]?.forgetHistory();
    await place.target.restart();
    relay.mend();
    await eventually(
      async () => {
        expect(mirror.content()).toEqual(await contentOf(place.kube, maps));
      },
      { withinMs: 60_000 },
    );
    expect(mirror.expires()).toBeGreaterThan(0);
  }, 120_000);

  it('notices a connection that is silent for ever', async () => {
    const maps = await newMaps();
    const { kube, relay } = await clientOver(place);
    const mirror = await mirrored(kube, { target: maps, inactivityMs: 1500 });
    await put(maps, 'early');
    await eventually(() => {
      expect(mirror.content().map(({ metadata }) => metadata.name)).toContain('early');
    });
    relay.silence();
    await put(maps, 'late');
    await eventually(
      async () => {
        expect(mirror.content()).toEqual(await contentOf(place.kube, maps));
      },
      { withinMs: 20_000 },
    );
    expect(mirror.breaks()).toBeGreaterThan(0);
  }, 40_000);
});
