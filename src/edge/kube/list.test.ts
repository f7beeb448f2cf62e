import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  html,
  json,
  ScriptedServer,
  slow,
  status,
  text,
  truncated,
  type Answer,
} from '../../../test/scripted-server/index.ts';
import { collect } from '../../../test/collect.ts';
import { transportTo } from '../../../test/kube-transport.ts';
import { list } from './list.ts';
import type { ListOptions, Page } from './port.ts';
import type { Transport } from './transport/transport.ts';

const pods = { group: '', version: 'v1', kind: 'Pod', plural: 'pods', namespaced: true };

let server: ScriptedServer;
let transport: Transport;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

function page(names: readonly string[], metadata: Record<string, unknown> = {}): Answer {
  const items = names.map((name) => ({ metadata: { name } }));
  return json({ kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '7', ...metadata }, items });
}

const expired = status(410, 'Expired', 'The provided continue parameter is too old');

function pages(options?: ListOptions): Promise<Page[]> {
  return collect(list(transport, { type: pods, namespace: 'shop' }, options));
}

const names = (page: Page): string[] => Array.from(page.items, (item) => item.metadata.name);

describe('list', () => {
  it('walks the pages with the token of each, and says how many follow', async () => {
    server.push(page(['a', 'b'], { continue: 'T1', remainingItemCount: 1 }), page(['c']));
    const [first, second] = await pages({ limit: 2, labelSelector: 'app in (x,y)', resourceVersion: '5' });
    expect(names(first!)).toEqual(['a', 'b']);
    expect(first).toMatchObject({ resourceVersion: '7', remaining: 1, restarted: false });
    expect(names(second!)).toEqual(['c']);
    expect(second).toMatchObject({ remaining: 0 });
    expect(server.requests.map((request) => Object.fromEntries(request.query))).toEqual([
      { limit: '2', labelSelector: 'app in (x,y)', resourceVersion: '5' },
      { limit: '2', labelSelector: 'app in (x,y)', continue: 'T1' },
    ]);
    expect(server.requests[0]!.path).toBe('/api/v1/namespaces/shop/pods');
  });

  const limits = (): (string | null)[] => server.requests.map(({ query }) => query.get('limit'));
  const long = (name: string): Answer => page([`${name}-${'x'.repeat(1000)}`], { continue: name });

  it('makes the first page as small as it is told, and others as long as they may be', async () => {
    server.push(page(['a'], { continue: 'T1' }), long('T2'), page([], { continue: 'T3' }), page(['c']));
    await pages({ limit: 30, firstLimit: 2, pageBytes: 5_000 });
    expect(limits()).toEqual(['2', '30', '4', '30']);
  });

  it('asks for fewer items when a page is longer than an answer may be, and for no more later', async () => {
    const huge: Answer = ({ response }) => {
      response.end(Buffer.alloc(65 * 1024 * 1024, 0x20));
    };
    server.push(huge, huge, page(['a'], { continue: 'T1' }), page(['b']));
    expect((await pages({ limit: 100 })).map(names)).toEqual([['a'], ['b']]);
    expect(limits()).toEqual(['100', '12', '1', '1']);
    server.push(huge);
    await expect(pages({ limit: 1 })).rejects.toMatchObject({ code: 'tooLarge' });
  });

  it.each(['metadata.namespace=shop', 'a=b,metadata.namespace==shop,c!=d'])(
    'asks the namespace that is selected by %s, because servers lose its later pages otherwise',
    async (fieldSelector) => {
      server.push(page(['a']));
      await collect(list(transport, { type: pods }, { fieldSelector }));
      expect(server.requests[0]?.path).toBe('/api/v1/namespaces/shop/pods');
    },
  );

  it.each(['metadata.namespace!=shop', 'xmetadata.namespace=shop', 'metadata.name=shop'])(
    'asks all namespaces when %s selects none',
    async (fieldSelector) => {
      server.push(page(['a']));
      await collect(list(transport, { type: pods }, { fieldSelector }));
      expect(server.requests[0]?.path).toBe('/api/v1/pods');
    },
  );

  it('names kind and apiVersion of items that do not say, and leaves those that do', async () => {
    const own = { apiVersion: 'x.io/v2', kind: 'Foo', metadata: { name: 'f' }, big: 9007199254740993n };
    server.push(json({ metadata: {}, items: [{ metadata: { name: 'a' }, spec: {} }, own] }));
    const [only] = await pages();
    expect([...only!.items]).toEqual([{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: {} }, own]);
  });

  it('reads a list that is written in another way, and of two the last', async () => {
    server.push(text('{"\\u0069tems":[{"metadata":{"name":"a"}}],"metadata":{}}'));
    server.push(text('{"items":[{"metadata":{"name":"a"}}],"items":[{"metadata":{"name":"b"}}]}'));
    expect((await pages()).map(names)).toEqual([['a']]);
    expect((await pages()).map(names)).toEqual([['b']]);
  });

  it('finds an item that is broken when its turn comes, does not quote it, and goes on behind it', async () => {
    const broken = '{"items":[{"metadata":{"name":"a"}},{"data":{"token": s3cr3t}},{"metadata":{"name":"c"}}]}';
    server.push(text(broken), text(broken));
    const [only] = await pages({ isLong: true });
    const items = only!.items[Symbol.iterator]();
    expect(items.next().value).toMatchObject({ kind: 'Pod', metadata: { name: 'a' } });
    expect(() => items.next()).toThrow(
      /^GET .*: expected JSON, got JSON that is broken or breaks off \(26 characters\)$/,
    );
    expect(items.next().value).toMatchObject({ metadata: { name: 'c' } });
    expect(items.next()).toEqual({ done: true, value: undefined });
    // A list that is not long is parsed at once.
    await expect(pages()).rejects.toMatchObject({ code: 'badAnswer' });
  });

  it('reads items of a long list again and again, but not from memory that was given back', async () => {
    server.push(page(['a', 'b']), page(['a', 'b']));
    const [only] = await pages({ isLong: true });
    expect([names(only!), names(only!)]).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
    expect(only!.bytes).toBeGreaterThan(50);
    only!.release?.();
    expect(only!.items).toHaveLength(2);
    expect(() => names(only!)).toThrow('after the page was released');
    const [whole] = await pages();
    expect(whole).not.toHaveProperty('release');
    expect(names(whole!)).toEqual(['a', 'b']);
  });

  it('reads an empty list, also when its items are null', async () => {
    server.push(json({ metadata: { resourceVersion: '1' }, items: null }));
    expect(await pages()).toEqual([{ items: [], resourceVersion: '1', remaining: 0, restarted: false }]);
  });

  it('starts over when a token expired, flags the first new page, and does not use the inconsistent token', async () => {
    const offers = json(
      { kind: 'Status', code: 410, reason: 'Expired', message: 'too old', metadata: { continue: 'INCONSISTENT' } },
      { status: 410 },
    );
    server.push(page(['a'], { continue: 'T1' }), offers, page(['a2'], { continue: 'T2' }), page(['b']));
    const all = await pages({ resourceVersion: '5' });
    expect(all.map((one) => [names(one), one.restarted])).toEqual([
      [['a'], false],
      [['a2'], true],
      [['b'], false],
    ]);
    expect(server.requests.map((request) => request.query.get('continue'))).toEqual([null, 'T1', null, 'T2']);
  });

  it('gives up with `gone` when tokens expire again and again', async () => {
    for (let i = 0; i < 4; i += 1) server.push(page(['a'], { continue: 'T' }), expired);
    await expect(pages()).rejects.toMatchObject({
      code: 'gone',
      message: expect.stringContaining('4 times') as string,
    });
    expect(server.requests).toHaveLength(8);
  });

  it('passes on a 410 that is not about a token', async () => {
    server.push(expired);
    await expect(pages({ resourceVersion: '1' })).rejects.toMatchObject({ code: 'gone' });
    expect(server.requests).toHaveLength(1);
  });

  it('waits out 429 and 500 in the middle of a walk', async () => {
    server.push(
      page(['a'], { continue: 'T1' }),
      status(429, 'TooManyRequests', 'slow down', { headers: { 'retry-after': '1' } }),
      status(500, 'InternalError', 'etcdserver: request timed out'),
      page(['b']),
    );
    expect((await pages()).flatMap(names)).toEqual(['a', 'b']);
  });

  it('asks for a page again when its answer was cut', async () => {
    server.push(truncated({ items: [{ metadata: { name: 'a' } }] }, 10), page(['b']));
    expect((await pages()).flatMap(names)).toEqual(['b']);
  });

  it.each([
    ['an HTML page', html('<html><body>Sign in</body></html>'), 'Sign in'],
    ['an object without items', json({ kind: 'Pod', metadata: {} }), 'kind Pod without items'],
    ['a JSON array', json([]), 'expected a JSON object'],
  ])('refuses %s', async (_what, answer, said) => {
    server.push(answer);
    await expect(pages()).rejects.toMatchObject({
      code: 'badAnswer',
      message: expect.stringContaining(said) as string,
    });
  });

  it('refuses a server that gives the same token for ever', async () => {
    server.always('*', page(['a'], { continue: 'T' }));
    await expect(pages()).rejects.toMatchObject({ code: 'badAnswer' });
    expect(server.requests).toHaveLength(2);
  });

  it('asks for nothing more when the reader stops', async () => {
    server.push(page(['a'], { continue: 'T1' }));
    for await (const one of list(transport, { type: pods })) {
      expect(names(one)).toEqual(['a']);
      break;
    }
    expect(server.requests.map((request) => request.path)).toEqual(['/api/v1/pods']);
  });

  it('ends a page at its deadline and at an abort', async () => {
    server.always('*', slow(10_000, page([])));
    await expect(pages({ deadlineMs: 50 })).rejects.toMatchObject({ code: 'timeout' });
    const reason = new Error('stop');
    await expect(pages({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
