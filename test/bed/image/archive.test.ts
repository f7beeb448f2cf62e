import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar-stream';
import { describe, expect, it } from 'vitest';
import { scratch } from '../scratch.ts';
import { type Image, keyOf, writeArchive } from './archive.ts';
import { complete, type Entry, file, folder, link, text, tree } from './entries.ts';

const image = (...layers: Entry[][]): Image[] => [
  { names: ['a:1', 'b:1'], settings: { Env: ['PATH=/bin'], Cmd: ['sh'], User: '65532:65532' }, layers },
];

async function contentsOf(tar: string | Buffer): Promise<Record<string, { type: string; mode: number; data: Buffer }>> {
  const entries: Record<string, { type: string; mode: number; data: Buffer }> = {};
  const reader = extract();
  if (typeof tar === 'string') createReadStream(tar).pipe(reader);
  else reader.end(tar);
  for await (const entry of reader) {
    const pieces: Buffer[] = [];
    for await (const piece of entry) pieces.push(piece as Buffer);
    const { name, type, mode } = entry.header;
    entries[name] = { type, mode, data: Buffer.concat(pieces) };
  }
  return entries;
}

describe('writeArchive', () => {
  it('writes what its list and its settings say, layer by layer', async () => {
    using place = scratch();
    const archive = join(place.directory, 'image.tar');
    const layers = [[text('etc/hello', 'hi'), folder('tmp', 0o1777)], [link('bin/sh', 'busybox')]];
    await writeArchive(archive, image(...layers));
    const contents = await contentsOf(archive);
    const parsed = (name: string): unknown => JSON.parse(contents[name]!.data.toString());
    const [listed] = parsed('manifest.json') as { Config: string; RepoTags: string[]; Layers: string[] }[];
    expect(listed?.RepoTags).toEqual(['a:1', 'b:1']);
    const config = parsed(listed!.Config) as { config: object; rootfs: { diff_ids: string[] } };
    expect(config.config).toMatchObject({ User: '65532:65532', Cmd: ['sh'] });
    const digests = listed!.Layers.map((name) => createHash('sha256').update(contents[name]!.data).digest('hex'));
    expect(config.rootfs.diff_ids).toEqual(digests.map((digest) => `sha256:${digest}`));
    const [first, second] = await Promise.all(listed!.Layers.map((name) => contentsOf(contents[name]!.data)));
    expect(first).toMatchObject({
      etc: { type: 'directory', mode: 0o755 },
      'etc/hello': { type: 'file', mode: 0o644, data: Buffer.from('hi') },
      tmp: { type: 'directory', mode: 0o1777 },
    });
    expect(second).toMatchObject({ 'bin/sh': { type: 'symlink' } });
  });

  it('gives equal bytes for equal contents, whenever and in whatever order they were written', async () => {
    using place = scratch();
    const at = (name: string) => join(place.directory, name);
    writeFileSync(at('one'), 'same');
    writeFileSync(at('two'), 'same', { mode: 0o600 });
    utimesSync(at('two'), 1, 1);
    const one = image([file('x', at('one')), text('y', 'z')]);
    const other = image([text('y', 'z'), file('x', at('two'))]);
    await writeArchive(at('a.tar'), one);
    await writeArchive(at('b.tar'), other);
    expect(readFileSync(at('a.tar')).equals(readFileSync(at('b.tar')))).toBe(true);
    expect(keyOf(one)).toBe(keyOf(other));
  });
});

describe('keyOf', () => {
  it('changes with a byte, a name, a mode and a setting', () => {
    const [plain] = image([text('x', 'a')]);
    const others = [
      image([text('x', 'b')]),
      image([text('y', 'a')]),
      image([{ path: 'x', kind: 'file', mode: 0o755, content: { text: 'a' } }]),
      [{ ...plain!, settings: { ...plain!.settings, User: '0' } }],
      [{ ...plain!, names: ['c:1'] }],
    ] satisfies Image[][];
    expect(new Set([[plain!], ...others].map(keyOf)).size).toBe(6);
  });
});

describe('entries', () => {
  it('come with the folders they are in, and the last of a name wins', () => {
    const paths = complete([text('a/b/c', '1'), link('a/b/c', 'd'), folder('a', 0o700)]);
    expect(paths).toEqual([folder('a', 0o700), folder('a/b'), link('a/b/c', 'd')]);
  });

  it('of a tree are what was kept of it', () => {
    using place = scratch();
    writeFileSync(join(place.directory, 'kept'), '');
    writeFileSync(join(place.directory, 'left.test.ts'), '');
    const entries = tree('opt', place.directory, (path) => !path.endsWith('.test.ts'));
    expect(entries.map(({ path }) => path)).toEqual(['opt/kept']);
  });
});
