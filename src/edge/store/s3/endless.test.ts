import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, ScriptedServer, slow, text } from '../../../../test/scripted-server/index.ts';
import { NO_LOG } from '../../../base/index.ts';
import { openStore, type Store, type StoreLocation } from '../index.ts';
import { LIST_LIMITS, type ListLimits } from '../list-budget.ts';
import { collect } from '../samples.ts';

const INI = '[default]\naws_access_key_id=AKIA\naws_secret_access_key=x\n';
const run = promisify(execFile);

/** A page that is never the last, in the form of each of the three listings. */
function page(names: readonly string[], token: string): Answer {
  const upload = (key: string) => `<Upload><Key>p/${key}</Key><UploadId>u</UploadId></Upload>`;
  return text(
    [
      '<ListResult><IsTruncated>true</IsTruncated>',
      `<NextContinuationToken>${token}</NextContinuationToken><NextKeyMarker>${token}</NextKeyMarker>`,
      ...names.map((name) => `<Contents><Key>p/${name}</Key><Size>1</Size></Contents>`),
      ...names.map((name) => `<CommonPrefixes><Prefix>p/${name}/</Prefix></CommonPrefixes>`),
      ...names.map(upload),
      '</ListResult>',
    ].join(''),
  );
}

let server: ScriptedServer;
let store: Store | undefined;
beforeEach(async () => {
  server = await ScriptedServer.start();
});
afterEach(async () => {
  store?.close();
  await server.stop();
});

const LITTLE = 'a caller who keeps all that an endless listing names needs little memory';
const location = (): StoreLocation => ({
  provider: 'aws',
  bucket: 'b',
  credentialsIni: INI,
  config: { s3Url: server.url, s3ForcePathStyle: 'true', region: 'r' },
});
const open = async (list: Partial<ListLimits>): Promise<Store> => {
  store = await openStore(location(), { log: NO_LOG, limits: { callMs: 5000, list: { ...LIST_LIMITS, ...list } } });
  return store;
};

const LISTINGS: [string, (store: Store, signal?: AbortSignal) => AsyncIterable<unknown>][] = [
  ['objects', (from, signal) => from.list('p/', { signal })],
  ['folders', (from, signal) => from.listPrefixes('p/', { signal })],
  ['uploads', (from, signal) => from.listUploads('p/', { signal })],
];

describe.each(LISTINGS)('a listing of %s without end', (_, list) => {
  /** Answers every request with a page of this many new names and the next token. */
  const endless = (count: number, token = (at: number) => `t${at}`): void => {
    let at = 0;
    server.always('*', (exchange) => {
      at += 1;
      const names = Array.from({ length: count }, (_unused, i) => `${at}-${i}`);
      return page(names, token(at))(exchange);
    });
  };

  it('ends after so many entries', async () => {
    endless(3);
    const wanted = 'the listing does not end, expected at most 10 entries';
    await expect(collect(list(await open({ entries: 10 })))).rejects.toMatchObject({
      code: 'tooLarge',
      message: expect.stringContaining(wanted) as string,
    });
    expect(server.requests).toHaveLength(4);
  });

  it('ends after so many characters of names', async () => {
    endless(3);
    await expect(collect(list(await open({ characters: 50 })))).rejects.toThrow('at most 50 characters of names');
    expect(server.requests.length).toBeLessThan(6);
  });

  it('ends after so many pages, also empty ones', async () => {
    endless(0);
    await expect(collect(list(await open({ pages: 5 })))).rejects.toThrow('expected at most 5 pages');
    expect(server.requests).toHaveLength(6);
  });

  it('ends after its time, also when every page comes in time', async () => {
    server.always(
      '*',
      slow(60, (exchange) => page([], `t${server.requests.length}`)(exchange)),
    );
    await expect(collect(list(await open({ ms: 200 })))).rejects.toThrow('expected at most 200 ms');
    expect(server.requests.length).toBeLessThanOrEqual(5);
  });

  it('ends where it goes in circles, or with a token that is none', async () => {
    endless(1, (at) => `t${at % 3}`);
    await expect(collect(list(await open({})))).rejects.toMatchObject({ code: 'badAnswer' });
    expect(server.requests).toHaveLength(4);
    endless(1, (at) => `${at}${'x'.repeat(10_000)}`);
    await expect(collect(list(await open({})))).rejects.toThrow(/expected a token for the next page, got 1000\d char/);
  });

  it('ends when nobody wants it any more', async () => {
    endless(1);
    const stop = new AbortController();
    const reason = new Error('no longer wanted');
    let count = 0;
    const reading = (async () => {
      for await (const _item of list(await open({}), stop.signal)) {
        count += 1;
        if (count === 20) stop.abort(reason);
      }
    })();
    await expect(reading).rejects.toBe(reason);
    expect(server.requests.length).toBeLessThanOrEqual(21);
  });
});

const isLinux = process.platform === 'linux';
it.skipIf(!isLinux)(`${LITTLE}${isLinux ? '' : ' (skipped: only Linux tells)'}`, { timeout: 120_000 }, async () => {
  let at = 0;
  server.always('*', (exchange) => {
    at += 1;
    const names = Array.from({ length: 250 }, (_, i) => `${at}-${i}-${'n'.repeat(900)}`);
    const prefixes = names.map((name) => `<CommonPrefixes><Prefix>p/${name}/</Prefix></CommonPrefixes>`).join('');
    const next = `<NextContinuationToken>${at}${'t'.repeat(4000)}</NextContinuationToken>`;
    return text(`<R><IsTruncated>true</IsTruncated>${next}${prefixes}</R>`)(exchange);
  });
  const code = `
    import { readFileSync } from 'node:fs';
    import { openStore } from ${JSON.stringify(new URL('../index.ts', import.meta.url).href)};
    const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
    const store = await openStore(${JSON.stringify(location())}, { log });
    const kept = new Set();
    try {
      for await (const folder of store.listPrefixes('p/')) kept.add(folder);
    } catch (error) {
      const [, kb] = /^VmHWM:\\s+(\\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
      console.log(JSON.stringify({ code: error.code, kept: kept.size, rss: kb / 1024 }));
    }
    store.close();`;
  // What Node calls maxRSS is also the peak of whoever started the process. With more memory use it would be killed; the SDK alone needs 40 MB.
  const args = ['--max-old-space-size=100', '--input-type=module', '-e', code];
  const { stdout } = await run(process.execPath, args, { timeout: 110_000, env: { PATH: process.env['PATH'] } });
  const result = JSON.parse(stdout) as { code: string; kept: number; rss: number };
  console.log(`  endless listing: ${result.kept} names kept, ${Math.round(result.rss)} MiB at its peak`);
  expect(result.code).toBe('tooLarge');
  expect(result.rss).toBeLessThan(300);
});
