import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isAppError } from '../../src/base/index.ts';
import {
  parseListed,
  type KopiaRepository,
  type ListedVolumeFile,
  type MoverJob,
} from '../../src/core/volumes/index.ts';
import { KopiaPlugin, RemotePlugin, type KopiaSecrets } from '../../src/edge/volumes/index.ts';
import { type Bed, bed, needs, needsBed } from '../bed/index.ts';
import { inS3, KOPIA, KopiaPlace, PASSWORD } from './kopia-place.ts';
import { ProcessMovers } from './process-mover.ts';

const TIMEOUT = 60_000;
const never = new AbortController().signal;
const MANY = 1024 ** 2;
const need = needs('kopia');
const withBed = need.missing ? need : needsBed({ clusters: 0, s3: true });

/** As an entry of another file, for whoever reads kopia's list line by line. */
const FORGED = `evil\n-rw-r--r--            5 2026-11-17 14:00:00 UTC ${'0'.repeat(32)}   forged`;

function fill(root: string): void {
  mkdirSync(join(root, 'a dir', 'sub'), { recursive: true });
  mkdirSync(join(root, 'two\nlines'));
  writeFileSync(join(root, 'a dir', 'sub', 'f'), 'hello', { mode: 0o640 });
  writeFileSync(join(root, '  spaces'), '');
  writeFileSync(join(root, 'two\nlines', 'car\rriage'), '1');
  writeFileSync(join(root, '日本語'), '1');
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('bad')]), '');
  symlinkSync('/etc/passwd', join(root, 'link'));
}

const LISTED = [
  '  spaces file 0',
  'a dir directory 5',
  'a dir/sub directory 5',
  'a dir/sub/f file 5',
  'link symlink 11',
  'two\\nlines directory 1',
  'two\\nlines/car\\rriage file 1',
  '日本語 file 1',
  '\ufffd\ufffdbad file 0',
];

interface Listed {
  files: (ListedVolumeFile | undefined)[];
  text: string;
  notes: string[];
}

const shown = ({ files }: Listed): string[] =>
  files.map((file) => (file === undefined ? 'no file' : `${file.path} ${file.type} ${file.bytes}`));

async function list(plugin: KopiaPlugin, snapshotID: string, maxBytes = MANY, signal = never): Promise<Listed> {
  const notes: string[] = [];
  const pieces: Uint8Array[] = [];
  const call = { signal, onNote: (note: string) => notes.push(note) };
  for await (const piece of plugin.list({ id: 'l', snapshotID, maxBytes }, call)) pieces.push(piece);
  const text = Buffer.concat(pieces).toString();
  return { files: text.split('\n').slice(0, -1).map(parseListed), text, notes };
}

async function snapshot(place: KopiaPlace, repository: KopiaRepository, root: string, secrets = {}): Promise<string> {
  const source = { namespace: 'shop', pod: 'db-0', volume: 'data' };
  const taker = place.plugin(repository, { isPreparing: true }, secrets);
  return (await taker.snapshot({ id: 'b-1', path: root, source }, { signal: never })).snapshotID;
}

describe.skipIf(need.missing)(need.title('the files of a kopia snapshot'), { timeout: TIMEOUT }, () => {
  const place = new KopiaPlace();
  const repository = place.inDirectory();
  let id: string;
  beforeAll(async () => {
    fill(place.directory('volume'));
    id = await snapshot(place, repository, place.directory('volume'));
  }, TIMEOUT);
  afterAll(() => {
    place[Symbol.dispose]();
  });
  const fails = async (plugin: KopiaPlugin, snapshotID = id): Promise<unknown> =>
    await list(plugin, snapshotID).then(
      () => 'it did not fail',
      (error: unknown) => (isAppError(error) ? `${error.code}: ${error.message}` : error),
    );

  it('are listed by path, whatever their names are, the same each time', async () => {
    const first = await list(place.plugin(repository), id);
    expect(shown(first)).toEqual(LISTED);
    expect(first.notes).toEqual([]);
    expect(first.files[3]).toMatchObject({ mode: 0o640, modifiedAt: expect.stringMatching(/^20\d\d-/) as string });
    // kopia's own order is another one each time.
    expect((await list(place.plugin(repository), id)).text).toBe(first.text);
  });

  it('are no more than fit, and those that do not are told', async () => {
    const { files, text, notes } = await list(place.plugin(repository), id, 300);
    expect(text.length).toBeLessThanOrEqual(300);
    expect(files.length).toBeGreaterThan(0);
    expect(notes).toEqual([`the list is not whole: the first ${files.length} entries that kopia named, of 9`]);
  });

  it('that look like other files are told', async () => {
    const root = place.directory('forged');
    writeFileSync(join(root, FORGED), '');
    const { files, notes } = await list(place.plugin(repository), await snapshot(place, repository, root));
    expect(files.map((file) => file?.path)).toEqual(['evil', 'forged']);
    expect(notes).toEqual(['names may not be what they seem: 2 entries are listed, and the snapshot has 1']);
  });

  it('cannot be listed, in one sentence', async () => {
    const none = '0'.repeat(32);
    expect(await fails(place.plugin(repository), none)).toBe(
      'notFound: list the files of the volume: the repository has no such snapshot',
    );
    expect(await fails(place.plugin(repository, {}, { password: 'wrong' }))).toMatch(
      /^unauthenticated: list the files of the volume: the password of the repository is wrong; it is in Secret velero-repo-credentials/,
    );
    expect(await fails(place.plugin(place.inDirectory('gone')))).toMatch(
      /^notFound: list the files of the volume: there is no repository/,
    );
    const missing = new KopiaPlugin({ ...place.deps(repository), program: join(place.path, 'no-kopia') });
    expect(await fails(missing)).toMatch(/^notFound: run kopia: .*no-kopia was not found$/);
  });

  it('end with whoever wanted them, and leave no part of the list', async () => {
    const deps = place.deps(repository);
    await expect(list(new KopiaPlugin(deps), id, MANY, AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    for await (const _ of new KopiaPlugin(deps).list({ id: 'l', snapshotID: id, maxBytes: MANY }, { signal: never }))
      break;
    expect(readdirSync(deps.scratch)).not.toContain('list');
  });

  it('go through a mover: files to its output, everything else beside', async () => {
    using movers = new ProcessMovers({ password: PASSWORD });
    const job = (snapshotID: string): MoverJob => ({
      ...{ kind: 'list', id: 'l-1', uploader: 'kopia', repository, program: KOPIA },
      ...{ scratch: place.directory('scratch-of-mover'), snapshotID, maxBytes: MANY },
    });
    const unasked = (): never => {
      throw new Error('not asked for');
    };
    const remote = (snapshotID: string): RemotePlugin =>
      new RemotePlugin({
        ...{ name: 'kopia', start: movers.start },
        jobs: { snapshot: unasked, restore: unasked, list: () => job(snapshotID) },
      });
    const request = { id: 'l-1', snapshotID: id, maxBytes: MANY };
    let text = '';
    const keep = async (pieces: AsyncIterable<Uint8Array>): Promise<void> => {
      for await (const piece of pieces) text += Buffer.from(piece).toString();
    };
    await remote(id).list(request, { signal: never }, keep);
    expect(text.split('\n').slice(0, -1).map(parseListed)).toHaveLength(LISTED.length);
    await expect(remote('0'.repeat(32)).list(request, { signal: never }, keep)).rejects.toMatchObject({
      code: 'notFound',
    });
    await expect(remote(id).list(request, { signal: never }, () => Promise.reject(new Error('full')))).rejects.toThrow(
      'full',
    );
  });

  it('are in a repository of which a part is missing, and that is said', async () => {
    const broken = place.inDirectory('broken') as KopiaRepository & { path: string };
    const taken = await snapshot(place, broken, place.directory('volume'));
    for (const folder of readdirSync(broken.path).filter((name) => /^q/.test(name))) {
      rmSync(join(broken.path, folder), { recursive: true });
    }
    expect(existsSync(broken.path)).toBe(true);
    expect(await fails(place.plugin(broken), taken)).toMatch(/^invalid: .*a part of the repository is missing/);
  });
});

describe.skipIf(withBed.missing)(withBed.title('the files of a kopia snapshot in S3'), { timeout: TIMEOUT }, () => {
  let b: Bed;
  const place = new KopiaPlace();
  beforeAll(async () => {
    b = await bed({ clusters: 0, s3: true });
  }, TIMEOUT);
  afterAll(async () => {
    place[Symbol.dispose]();
    await b?.[Symbol.asyncDispose]();
  });

  it('are listed as in a directory, and a refused key is told', async () => {
    const { repository, secrets } = inS3(b.s3!, 'listed');
    fill(place.directory('volume'));
    const id = await snapshot(place, repository, place.directory('volume'), secrets);
    expect(shown(await list(place.plugin(repository, {}, secrets), id))).toEqual(LISTED);
    const wrong: Partial<KopiaSecrets> = { ...secrets, secretAccessKey: 'wrong' };
    await expect(list(place.plugin(repository, {}, wrong), id)).rejects.toMatchObject({ code: 'forbidden' });
  });
});
