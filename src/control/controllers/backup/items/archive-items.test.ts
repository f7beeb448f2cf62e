import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { NO_LOG, type JsonObject } from '../../../../base/index.ts';
import type { ItemKey } from '../../../../core/progress/index.ts';
import type { ListedObject } from '../../../../edge/kube/index.ts';
import { Findings } from '../../../operation/index.ts';
import { FINDING_TEXTS } from '../finding-texts.ts';
import { SeenVolumes } from '../volumes/seen-volumes.ts';
import { archiveItems, type ArchiveItemsDeps } from './archive-items.ts';
import { Collected } from './collected.ts';

const HOOKED = 'hooked';

function collected(plural: string, kind: string, name: string, text = contentOf(name)): Collected {
  const listed: ListedObject = {
    metadata: { name, namespace: 'x' },
    json: () => Buffer.from(text),
    parse: () => ({ apiVersion: 'v1', kind, ...(JSON.parse(text) as object) }) as ReturnType<ListedObject['parse']>,
  };
  const key: ItemKey = { groupResource: plural, namespace: 'x', name };
  return new Collected(listed, {
    key,
    id: name,
    type: { group: '', version: 'v1', kind, plural, namespaced: true } as never,
  });
}

const contentOf = (name: string): string =>
  JSON.stringify({ metadata: { name, namespace: 'x' }, spec: { text: name.repeat(5) } });

/** Pods with hooks have to wait for `turns` turns of the event loop before they are frozen. */
function depsOf(turns: number): ArchiveItemsDeps {
  const hooks = {
    has: (object: JsonObject) => (object['metadata'] as JsonObject)['name'] === HOOKED,
    aroundHeld: async (_object: unknown, _pod: unknown, { work }: { work: () => unknown }) => await work(),
  };
  const turn = async (): Promise<void> => {
    for (let count = 0; count < turns; count += 1) await setImmediate();
  };
  const copies = { needsTurn: true, turn, start: () => Promise.resolve(), drop: () => undefined };
  const volumes = {
    see: (item: Collected) => {
      new SeenVolumes().see(item);
    },
    forPod: (object: JsonObject) => Promise.resolve(hooks.has(object) ? copies : undefined),
  };
  const findings = new Findings(NO_LOG, FINDING_TEXTS);
  const { signal } = new AbortController();
  const nothing = () => undefined;
  return { hooks, volumes, findings, signal, onItem: nothing, onEnd: nothing } as unknown as ArchiveItemsDeps;
}

/** As a writer takes them: bytes are copied when they come. */
async function archived(items: AsyncIterable<Collected>, deps: ArchiveItemsDeps): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const { name, text } of archiveItems(items, deps)) texts.set(name, Buffer.from(text as string).toString());
  return texts;
}

describe('items for the archive', () => {
  it.each([0, 1, 2, 3, 5, 8])('are their own, whenever a pod with hooks has its turn: after %i', async (turns) => {
    const names = Array.from({ length: 12 }, (_, at) => `plain-${'x'.repeat(at)}`);
    async function* items(): AsyncGenerator<Collected> {
      const pod = collected('pods', 'Pod', HOOKED);
      yield pod;
      for (const name of names) {
        yield collected('configmaps', 'ConfigMap', name);
        await setImmediate();
      }
      while (pod.isPostponed) yield pod;
    }
    const texts = await archived(items(), depsOf(turns));
    expect([...texts.keys()].toSorted()).toEqual([HOOKED, ...names].toSorted());
    for (const [name, text] of texts) {
      const kind = name === HOOKED ? 'Pod' : 'ConfigMap';
      expect(JSON.parse(text)).toEqual({ apiVersion: 'v1', kind, ...(JSON.parse(contentOf(name)) as JsonObject) });
    }
  });

  it.each(['persistentvolumes', 'configmaps', 'secrets'])('lose only the broken one, of %s too', async (plural) => {
    const deps = depsOf(0);
    async function* items(): AsyncGenerator<Collected> {
      yield await Promise.resolve(collected(plural, 'Kind', 'broken', '{"metadata":{"name":"broken"},"spec":tru}'));
      yield collected(plural, 'Kind', 'good');
    }
    expect([...(await archived(items(), deps)).keys()]).toEqual(['good']);
    expect(deps.findings.errors).toBe(1);
  });

  it('are archived as an action has changed them, and seen by volumes if they are archived', async () => {
    const seen: string[] = [];
    const deps = { ...depsOf(0), volumes: { see: ({ key }: Collected) => seen.push(key.name) } as never };
    async function* items(): AsyncGenerator<Collected> {
      const changed = collected('claims', 'Claim', 'changed');
      changed.object = { ...changed.object, spec: {} };
      yield await Promise.resolve(changed);
      yield collected('claims', 'Claim', 'broken', '{"metadata":{"name":"broken"},"spec":tru}');
    }
    const text = (await archived(items(), deps)).get('changed') ?? '';
    expect(JSON.parse(text)).toMatchObject({ kind: 'Claim', spec: {} });
    expect(text).not.toContain('text');
    expect(seen).toEqual(['changed']);
  });
});
