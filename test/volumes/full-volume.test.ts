import { execFileSync } from 'node:child_process';
import { createReadStream, createWriteStream, existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StreamPlugin, type VolumePlugin } from '../../src/edge/volumes/index.ts';
import { content } from '../../src/edge/volumes/samples.ts';
import { needs } from '../bed/index.ts';
import { KopiaPlace } from './kopia-place.ts';

const MIB = 1024 * 1024;
const need = needs('kopia');
const isRoot = process.getuid?.() === 0;
const noMount = isRoot ? '' : ' (skipped: only root may mount)';
const call = { signal: new AbortController().signal };

/** Archives as files of a directory. */
function streamIn(directory: string): StreamPlugin {
  const at = (key: string): string => join(directory, key);
  const store = {
    put: async (key: string, source: AsyncIterable<Uint8Array>) => {
      await pipeline(source, createWriteStream(at(key)));
      return { size: 0 };
    },
    get: (key: string) => Promise.resolve({ body: createReadStream(at(key)) as AsyncIterable<Uint8Array> }),
    delete: () => Promise.resolve(),
  };
  return new StreamPlugin({ store, keyOf: (id) => `${id}.tar.zst`, scratch: directory });
}

describe.skipIf(need.missing || !isRoot)(need.title(`a volume without room${noMount}`), { timeout: 120_000 }, () => {
  let place: KopiaPlace;
  beforeAll(() => {
    place = new KopiaPlace();
  });
  afterAll(() => {
    place[Symbol.dispose]();
  });
  let small: string;
  beforeEach(() => {
    small = place.directory('small');
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', small]);
  });
  afterEach(() => {
    execFileSync('umount', [small]);
  });
  const plugins: Record<string, () => VolumePlugin> = {
    stream: () => streamIn(place.directory('archives')),
    kopia: () => place.plugin(place.inDirectory(), { isPreparing: true }),
  };
  const source = { namespace: 'shop', pod: 'db-0', volume: 'data' };
  const backedUp = async (plugin: VolumePlugin, id: string, files: number) => {
    const path = place.directory(id);
    for (let index = 0; index < files; index += 1) writeFileSync(join(path, `new-${index}`), content(4 * MIB, index));
    const { snapshotID } = await plugin.snapshot({ id, path, source }, call);
    return { id, path: small, snapshotID, volumeId: id, isBroughtUp: true };
  };

  it.each(['stream', 'kopia'])('gets it from what is not in the backup, with %s', async (name) => {
    const plugin = plugins[name]!();
    const request = await backedUp(plugin, `room-${name}`, 3);
    writeFileSync(join(small, 'zz-old'), content(8 * MIB, 9));
    // An archive cannot be read twice by one mover: the next attempt has more room.
    if (name === 'stream') {
      await expect(plugin.restore?.(request, call)).rejects.toMatchObject({
        code: 'serverError',
        message: expect.stringMatching(/the disk is full; 1 files? .*removed/) as string,
      });
      expect(existsSync(join(small, 'zz-old'))).toBe(false);
    }
    const { removed } = (await plugin.restore?.(request, call)) ?? {};
    expect(removed).toBe(name === 'stream' ? 0 : 1);
    expect(readdirSync(small).toSorted()).toEqual(['new-0', 'new-1', 'new-2']);
  });

  it.each(['stream', 'kopia'])('says so if nothing can go, with %s', async (name) => {
    const plugin = plugins[name]!();
    const request = await backedUp(plugin, `full-${name}`, 5);
    await expect(plugin.restore?.(request, call)).rejects.toMatchObject({
      code: 'tooLarge',
      message: expect.stringContaining('the disk is full') as string,
    });
  });
});
