import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchingLoop } from '../../../../test/event-loop.ts';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { ScriptedServer } from '../../../../test/scripted-server/index.ts';
import { cleanText, ERROR_CODES, isAppError, NO_LOG } from '../../../base/index.ts';
import { openStore, type Store } from '../index.ts';
import { collect, text } from '../samples.ts';

const INI = '[default]\naws_access_key_id=AKIA\naws_secret_access_key=hunter2\n';
const LIMITS = { callMs: 5000, partMs: 5000, chunkMs: 2000 };
const LIST = { pages: 5, entries: 50, characters: 10_000, ms: 5000 };

interface Reply {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const TAGS = ['Error', 'Code', 'Message', 'ListBucketResult', 'Contents', 'Key', 'Size', 'IsTruncated', 'LastModified'];
const MORE_TAGS = ['NextContinuationToken', 'CommonPrefixes', 'Prefix', 'Upload', 'UploadId', '__proto__', 'toString'];
const tag = fc.constantFrom(...TAGS, ...MORE_TAGS);
const value = fc.oneof(
  fc.constantFrom('p/1', 'true', 'false', '-1', '1e999', '2026-01-01T00:00:00Z', '&amp;&#x202e;&#0;&bad;', 'NoSuchKey'),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const piece = fc.oneof(
  fc.tuple(tag, value).map(([name, inside]) => `<${name}>${inside}</${name}>`),
  tag.map((name) => `<${name}>`),
  tag.map((name) => `</${name}>`),
  fc.constantFrom('<?xml version="1.0"?>', '<!-- -->', '<![CDATA[x]]>', '<!DOCTYPE a>', '<a b="c">', '<', '&', ']]>'),
  value,
);
const body = fc.oneof(
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
  fc.array(piece, { maxLength: 12 }).map((pieces) => `<ListBucketResult>${pieces.join('')}</ListBucketResult>`),
  fc.tuple(value, value).map(([code, said]) => `<Error><Code>${code}</Code><Message>${said}</Message></Error>`),
);
const header = fc.constantFrom(
  'etag',
  'retry-after',
  'content-type',
  'x-amz-bucket-region',
  'location',
  'content-range',
);
const reply: fc.Arbitrary<Reply> = fc.record({
  status: fc.constantFrom(200, 200, 200, 204, 206, 301, 307, 400, 403, 404, 412, 416, 500, 503),
  headers: fc.dictionary(header, fc.stringMatching(/^[ -~]{0,20}$/), { noNullPrototype: true }),
  body,
});

const of = (status: number, xml: string): Reply => ({ status, headers: {}, body: xml });
const failure = (code: string, said: string): string => `<Error><Code>${code}</Code><Message>${said}</Message></Error>`;
/** Found in attacks and by this test. */
const PAST: Reply[] = [
  of(500, failure('InternalError', `\u001b[2J${'x'.repeat(2 * 1024 ** 2)}`)),
  of(403, failure('\u202eAccessDenied', `\u001b]0;owned\u0007&#27;[2J\n`)),
  of(500, failure('InternalError', '\n'.repeat(60_000))),
  of(400, failure('constructor', '__proto__')),
  of(400, failure('__proto__', 'toString')),
  of(404, '<Error><Code/><Code/><Message/><Message/></Error>'),
  of(500, '<Error><Code><toString/></Code><Message><toString/></Message></Error>'),
  // For each of them the SDK's parser copies the whole text.
  of(200, `${'<!DOCTYPE a>'.repeat(10_000)}<R>${'x'.repeat(300_000)}</R>`),
  of(500, `${'<!doctype a>'.repeat(5000)}<R/>`),
  of(200, '<a>'.repeat(150_000)),
  of(200, `<ListBucketResult>${'<Contents/>'.repeat(40_000)}</ListBucketResult>`),
  of(200, `<R>${'&amp;'.repeat(100_000)}</R>`),
  of(200, '<R><IsTruncated>true</IsTruncated><NextContinuationToken>x</NextContinuationToken></R>'),
];

describe('an S3 server that answers anything', () => {
  let server: ScriptedServer;
  let store: Store;
  let next: Reply = of(200, '');
  beforeAll(async () => {
    server = await ScriptedServer.start();
    server.always('*', ({ response }) => {
      response.on('error', () => undefined);
      response.writeHead(next.status, next.headers).end(next.body);
      server.requests.length = 0;
    });
    const config = { s3Url: server.url, s3ForcePathStyle: 'true', region: 'r' };
    const location = { provider: 'aws', bucket: 'b', credentialsIni: INI, config };
    store = await openStore(location, { log: NO_LOG, limits: { ...LIMITS, list: LIST } });
  });
  afterAll(async () => {
    store.close();
    await server.stop();
  });

  const CALLS: readonly (() => Promise<unknown>)[] = [
    () => collect(store.list('p/')),
    () => collect(store.listPrefixes('p/')),
    () => collect(store.listUploads('p/')),
    () => store.head('p/1'),
    async () => collect((await store.get('p/1')).body),
    () => store.put('p/1', text('x')),
    () => store.delete('p/1'),
  ];

  it('gets an AppError, short and clean, or is understood', { timeout: 1_800_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(reply, fc.integer({ min: 0, max: CALLS.length - 1 }), async (answer, call) => {
        next = answer;
        const error = await CALLS[call]?.().then(
          () => undefined,
          (thrown: unknown) => thrown,
        );
        if (error === undefined) return;
        if (!isAppError(error)) throw new Error('no AppError', { cause: error });
        expect(Object.keys(ERROR_CODES)).toContain(error.code);
        expect(error.message.length).toBeLessThan(2000);
        expect(cleanText(error.message, Infinity)).toBe(error.message);
      }),
      {
        numRuns: fuzzRuns(120),
        // As answers to a list, a get and a put.
        examples: PAST.flatMap((answer) => [0, 4, 5].map((call): [Reply, number] => [answer, call])),
      },
    );
    expect(server.openConnections).toBeLessThan(5);
  });

  it.each(PAST.map(({ body: xml }): [string, string] => [xml.slice(0, 40), xml]))(
    'cannot stop everything else with %j…',
    async (_, xml) => {
      const { stepMs } = await watchingLoop(async () => {
        for (const status of [200, 500]) {
          next = of(status, xml);
          await collect(store.list('p/')).catch(() => undefined);
        }
      });
      // Alone it is a tenth of a second.
      expect(stepMs).toBeLessThan(1000);
    },
  );
});
