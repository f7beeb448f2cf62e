import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';
import { CliFixture, BACKUPS, RESTORES, VELERO } from './cli-fixture.ts';
import { ScriptedHeadway } from './scripted-headway.ts';

let cli: CliFixture;
let headway: ScriptedHeadway;
beforeAll(async () => {
  cli = await CliFixture.start();
  headway = await ScriptedHeadway.start();
  await cli.run('backup', 'create', 'ended');
  await cli.setStatus(BACKUPS, 'ended', {
    phase: 'PartiallyFailed',
    errors: 2,
    startTimestamp: '2026-01-01T00:00:00Z',
    completionTimestamp: '2026-01-01T00:00:03Z',
  });
  await cli.run('restore', 'create', 'runs', '--from-backup', 'ended');
  await cli.setStatus(RESTORES, 'runs', { phase: 'InProgress' });
});
afterAll(async () => {
  await headway[Symbol.asyncDispose]();
  await cli[Symbol.asyncDispose]();
});

const session = (...names: string[]) => ({
  version: '1',
  clusters: names.map((name) => ({ name, login: 'token', namespace: 'velero', isWatched: true })),
});
const id = (kind: string, name: string, cluster = 'pocket-test') => `${cluster}.${kind}.velero.${name}`;

/** Plays the controller that makes links, until the signal is aborted. */
async function makeLinks(signal: AbortSignal): Promise<void> {
  const type = { ...VELERO, kind: 'DownloadRequest', plural: 'downloadrequests' };
  for await (const event of cli.kube.watch({ type, namespace: 'velero' }, { signal })) {
    if (event.type !== 'ADDED') continue;
    const { target } = event.object['spec'] as { target: { kind: string } };
    const status = { phase: 'Processed', downloadURL: `${headway.url}/${target.kind}?signature=secret` };
    const name = event.object.metadata.name;
    await cli.kube.patch({ type, namespace: 'velero', name }, { kind: 'merge', body: { status } });
  }
}

async function withLinks<T>(action: () => Promise<T>): Promise<T> {
  const stop = new AbortController();
  const links = makeLinks(stop.signal).catch(() => undefined);
  try {
    return await action();
  } finally {
    stop.abort();
    await links;
  }
}

describe('without a server', () => {
  it('reads the log that lies in the location', async () => {
    headway.gzip('/BackupLog', 'first line\nlast line');
    const ran = await withLinks(() => cli.run('backup', 'logs', 'ended'));
    expect(ran).toEqual({ code: 0, out: 'first line\nlast line\n', err: '' });
  });

  it('names what is missing for the log of what runs', async () => {
    const { code, err } = await cli.run('restore', 'logs', 'runs');
    expect(code).toBe(5);
    expect(err).toContain('restore "runs" has not finished; until then only the Headway server can show its log\n');
    expect(err).toContain('headway watch restore/runs\n');
  });

  it('describes with the problems of the results file, and with every item', async () => {
    const errors = { namespaces: { shop: ['could not get "a": timed out', 'could not get "b": timed out'] } };
    headway.gzip('/BackupResults', JSON.stringify({ errors, warnings: {} }));
    headway.gzip('/BackupResourceList', JSON.stringify({ 'v1/Pod': ['shop/a', 'shop/b'] }));
    const { out } = await withLinks(() => cli.run('backup', 'describe', 'ended', '--details'));
    expect(out).toContain('Problems\n  ✕ could not get (2): timed out\n');
    expect(out).toContain('\nItems\n  v1/Pod\n    shop/a\n    shop/b\n');
  });

  it.each([
    ['lines', `${' '.repeat(1023)}\n`.repeat(65 * 1024)],
    ['one line', ' '.repeat(65 * 1024 ** 2)],
  ])('does not keep a small file that unpacks to %s of 65 MB', async (_, text) => {
    headway.gzip('/BackupResults', text);
    const { code, out } = await withLinks(() => cli.run('backup', 'describe', 'ended'));
    expect(code).toBe(0);
    expect(out.replaceAll(/\s+/g, ' ')).toMatch(/could not be read: read .* more than 67108864 characters/);
  });

  it.each([
    ['--dry-run', ['backup', 'create', 'x', '--dry-run']],
    ['looking into a backup', ['inspect', 'ended']],
    ['verifying a backup', ['backup', 'verify', 'ended']],
  ])('%s says that it needs one, and how to start it', async (what, args) => {
    const { code, err } = await cli.run(...args);
    expect(code).toBe(5);
    expect(err).toContain(`headway: ${what} needs the Headway server, but none is running on this machine\n`);
    expect(err).toContain('Start one with: headway server');
  });
});

describe('with a server', () => {
  it('asks it as the user of the context, in the cluster of the context', async () => {
    headway.json('GET /api/session', session('other', 'pocket-test'));
    headway.text(`GET /api/operations/${id('restore', 'runs')}/log`, 'live line\n');
    headway.asked.length = 0;
    const ran = await cli.run('restore', 'logs', 'runs', '--server', headway.url);
    expect(ran).toEqual({ code: 0, out: 'live line\n', err: '' });
    const [first, second] = headway.asked;
    expect(first?.headers.authorization).toBeUndefined();
    expect(second?.url).toContain('?follow=1');
    expect(second?.headers).toMatchObject({
      authorization: `Bearer ${cli.pocket.pocket.token}`,
      'x-headway-cluster': 'pocket-test',
    });
  });

  it('takes the only cluster of a server that was named, and chooses among several for nobody', async () => {
    headway.json('GET /api/session', session('in-cluster'));
    headway.json(`POST /api/backups/${id('backup', 'ended', 'in-cluster')}/verify`, {
      ...{ ok: false, sha256Found: 'abc', entries: 1, problems: ['cut short'] },
    });
    const verified = await cli.run('backup', 'verify', 'ended', '--server', headway.url);
    expect(verified).toMatchObject({ code: 1 });
    expect(verified.out).toContain('✕ backup/ended  is damaged: 1 entries read\n');

    headway.json('GET /api/session', session('a', 'b'));
    headway.asked.length = 0;
    const { code, err } = await cli.run('inspect', 'ended', '--server', headway.url);
    expect(code).toBe(3);
    expect(err).toContain('serves a, b, not context "pocket-test"\nChoose one with: --context NAME\n');
    expect(headway.asked.map(({ headers }) => headers.authorization)).toEqual([undefined]);
  });

  it('gives back its errors as they are', async () => {
    headway.json('GET /api/session', session('pocket-test'));
    const error = { code: 'forbidden', message: 'you may not create downloadrequests', hint: 'Ask your admin' };
    headway.json(`GET /api/backups/${id('backup', 'ended')}/contents`, { error }, 403);
    expect(await cli.run('inspect', 'ended', '--server', headway.url)).toEqual({
      code: 4,
      out: '',
      err: 'headway: you may not create downloadrequests\nAsk your admin\n',
    });
    const dead = await cli.run('inspect', 'ended', '--server', 'http://127.0.0.1:1');
    expect(dead.code).toBe(5);
    expect(dead.err).toContain('cannot reach the Headway server at http://127.0.0.1:1');
    const nonsense = await cli.run('inspect', 'ended', '--server', 'http://:::');
    expect(nonsense.code).toBe(2);
  });

  it('waits for a server that is busy, and says so', async () => {
    headway.json('GET /api/session', session('pocket-test'));
    const path = `POST /api/backups/${id('backup', 'ended')}/verify`;
    const error = { code: 'throttled', message: 'verify: the server is busy' };
    headway.json(path, { error }, 429, { 'retry-after': '1' });
    const running = cli.begin(['backup', 'verify', 'ended', '--server', headway.url]);
    await eventually(() => {
      expect(running.err()).toBe('verify: the server is busy; asking again in 1 s\n');
    });
    headway.json(path, { ok: true, sha256Found: 'abc', entries: 1, problems: [] });
    expect(await running.ended).toMatchObject({ code: 0, out: expect.stringContaining('is intact') as string });
    headway.json(path, { error }, 429, { 'retry-after': '3600' });
    const { code, err } = await cli.run('backup', 'verify', 'ended', '--server', headway.url);
    expect([code, err]).toEqual([5, expect.stringContaining('headway: verify: the server is busy')]);
  });

  it('pages through everything that is in a backup', async () => {
    headway.json('GET /api/session', session('pocket-test'));
    const items = [
      { resource: 'namespaces', name: 'shop' },
      { resource: 'pods', namespace: 'shop', name: 'a' },
    ];
    const groups = [
      { resource: 'namespaces', count: 1 },
      { resource: 'pods', namespace: 'shop', count: 1 },
    ];
    headway.json(`GET /api/backups/${id('backup', 'ended')}/contents`, { groups, items, total: 2, problems: [] });
    const short = await cli.run('inspect', 'ended', '--server', headway.url);
    expect(short.out).toBe(
      'backup/ended  2 items\n\nNAMESPACE   RESOURCE     ITEMS\n–           namespaces   1\nshop        pods         1\n',
    );
    const long = await cli.run('inspect', 'ended', '--items', '--server', headway.url);
    expect(long.out).toBe('namespaces/shop\nshop/pods/a\n');
  });

  it.each([
    ['both questions', ['--item', 'a/b/c', '--diff', 'cluster']],
    ['no item', ['--item', 'a']],
    ['half an item', ['--item', 'a//c']],
  ])('refuses %s', async (_, args) => {
    headway.json('GET /api/session', session('pocket-test'));
    expect((await cli.run('inspect', 'ended', '--server', headway.url, ...args)).code).toBe(2);
  });
});

describe('completion', () => {
  it.each([
    ['commands', ['ba'], /^backup\t/],
    ['verbs', ['backup', 'de'], /^describe\t.*\ndelete\t/],
    ['flags', ['backup', 'create', '--include-n'], /^--include-namespaces\t.*\n--include-namespace-scoped-resources\t/],
    ['values of a flag', ['backup', 'get', '-o', 'y'], /^yaml\t\n/],
    ['names of objects', ['backup', 'describe', 'e'], /^ended\t\n/],
    ['names behind a flag', ['restore', 'create', '--from-backup', ''], /^ended\t\n/],
    ['operations', ['watch', 'restore/'], /^restore\/runs\t\n/],
    ['shells', ['completion', 'z'], /^zsh\t\n/],
    ['nothing for a new name', ['backup', 'create', 'x'], /^:4\n$/],
  ])('knows %s', async (_, words, expected) => {
    const { code, out } = await cli.run('__complete', '--', ...words);
    expect(code).toBe(0);
    expect(out).toMatch(expected);
    expect(out.endsWith(':4\n')).toBe(true);
  });

  it('is quick and silent without a cluster', async () => {
    const ran = await cli.begin(['__complete', '--', 'backup', 'get', ''], {
      connect: () => Promise.reject(new Error('there is none')),
    }).ended;
    expect(ran).toEqual({ code: 0, out: ':4\n', err: '' });
  });
});

describe('names that match nothing', () => {
  const message = 'the backup has no namespace "shpo"; did you mean "shop"?';
  const unmatched = [{ field: 'includedNamespaces', name: 'shpo', message }];
  const create = (name: string) => [
    ...['restore', 'create', name, '--from-backup', 'ended', '--include-namespaces', 'shpo', '--server', headway.url],
  ];
  const exists = async (name: string) => (await cli.run('restore', 'get', name, '-o', 'name')).code === 0;
  const answers = (selection: object) => {
    headway.json('GET /api/session', session('pocket-test'));
    headway.json('POST /api/selection', { validationErrors: [], unmatched: [], isNothing: false, ...selection });
  };

  it('create nothing where nothing is left to do and nobody can be asked', async () => {
    answers({ unmatched, isNothing: true });
    expect(await cli.run(...create('typo'))).toEqual({
      code: 1,
      out: '',
      err:
        `▲ ${message}\n▲ Nothing in the backup is selected.\n` +
        'Nothing was created. Correct the names and try again.\n',
    });
    expect(await exists('typo')).toBe(false);
  });

  it('are asked about on a terminal', async () => {
    answers({ unmatched, isNothing: true });
    const questions: string[] = [];
    const confirm = (question: string) => {
      questions.push(question);
      return Promise.resolve(questions.length > 1);
    };
    expect((await cli.begin(create('asked'), { confirm }).ended).code).toBe(1);
    expect(await exists('asked')).toBe(false);
    expect((await cli.begin(create('asked'), { confirm }).ended).code).toBe(0);
    expect(await exists('asked')).toBe(true);
    expect(questions).toEqual(['Create it all the same?', 'Create it all the same?']);
  });

  it('are named before the rest is done', async () => {
    answers({ unmatched });
    const { code, out, err } = await cli.run(...create('rest'));
    expect({ code, out, first: err.split('\n')[0] }).toEqual({
      ...{ code: 0, out: 'restore/rest created\n', first: `▲ ${message}` },
    });
  });

  it('in a mapping are refused, and so is a target that no namespace can have', async () => {
    const problem = 'Invalid namespace mapping "shpo:x": the backup has no namespace "shpo"; did you mean "shop"?';
    answers({ validationErrors: [problem] });
    const mapping = (text: string) => [...create('mapped').slice(0, 5), '--namespace-mappings', text];
    expect(await cli.run(...mapping('shpo:x'), '--server', headway.url)).toEqual({
      code: 1,
      out: '',
      err: `✕ This would be refused:\n  ${problem}\nNothing was created.\n`,
    });
    const { code, err } = await cli.run(...mapping('shop:Shop New'));
    expect(code).toBe(2);
    expect(err).toContain('"Shop New" cannot be the name of a namespace: expected at most 63 of a-z, 0-9 and -');
    expect(await exists('mapped')).toBe(false);
  });

  it('do not keep anybody from creating when the server cannot be asked', async () => {
    headway.json('POST /api/selection', { error: { code: 'unreachable', message: 'the store is away' } }, 503);
    const { code, out, err } = await cli.run(...create('unchecked'));
    expect({ code, out }).toEqual({ code: 0, out: 'restore/unchecked created\n' });
    expect(err).toContain('▲ The names in it were not checked: ');
  });
});
