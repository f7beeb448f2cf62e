import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AppError } from '../../src/base/index.ts';
import { ErrorSchema } from '../../src/server/routes/schemas/index.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { fuzzRuns } from '../fuzz-runs.ts';
import { recordingLog } from '../scripted-cluster/recording-log.ts';
import { Served, type Answer, type Ask } from './served.ts';

/** Of one request, on a busy machine. */
const MAX_MS = 10_000;
const MAX_ERROR_BYTES = 300_000;
const MAX_HEAP_BYTES = 400 * 1024 ** 2;

const refuse = () => Promise.reject(new AppError('invalid', 'planned nowhere'));
const planner = { backup: refuse, restore: refuse, items: refuse, verify: refuse };

let cluster: EngineCluster;
let served: Served;
let me: { cookie: string; 'x-csrf-token': string };
const log = recordingLog();
beforeAll(async () => {
  cluster = await startCluster();
  const limits = { requestsPerSecond: 1e6, requestsBurst: 1e6, guessesPerMinute: 1e6 };
  const clusters = [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'link' as const, planner }];
  const pageDir = join(cluster.directory, 'page');
  mkdirSync(pageDir);
  writeFileSync(join(pageDir, 'index.html'), 'page');
  served = await Served.start(clusters, { limits, pageDir }, log);
  me = await served.byLink();
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** An answer in time that is no bug of ours, and tells nothing about our insides. */
async function survive(path: string, ask: Ask): Promise<Answer> {
  log.lines.length = 0;
  const startedAt = performance.now();
  const answer = await served.ask(path, ask);
  expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
  expect(log.lines.filter(({ level }) => level === 'error')).toEqual([]);
  // 500 is a bug, and what stands behind the server is there all the time.
  expect(answer.status).toBeLessThan(500);
  // With everything that this process is: a cluster, a server, and the test.
  expect(process.memoryUsage().heapUsed).toBeLessThan(MAX_HEAP_BYTES);
  expect(answer.text).not.toMatch(/node:internal|\.ts:\d/);
  if (answer.status >= 400 && answer.text !== '') {
    expect(answer.text.length).toBeLessThan(MAX_ERROR_BYTES);
    ErrorSchema.parse(answer.json);
  }
  return answer;
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', '0', '-1', '1e309', 'NaN', '../..', '%', '\0', 'demo', 'Backup', '[]', '{}', 'a'.repeat(5000)),
);
const id = fc.oneof(
  text,
  fc
    .tuple(fc.constantFrom('demo', 'x'), fc.constantFrom('backup', 'restore', 'pod'), text, text)
    .map((parts) => parts.join('.')),
);
const query = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom('kind', 'state', 'namespace', 'cluster', 'q', 'sort', 'limit', 'continue', 'with', 'follow'),
        fc.constantFrom('resource', 'name', 'code', 'nonce', '__proto__', 'constructor'),
        text,
      ),
      text,
    ),
    { maxLength: 5 },
  )
  .map((pairs) => pairs.map((pair) => pair.map((each) => encodeURIComponent(each.toWellFormed())).join('=')).join('&'));
const GETS = [
  ...['/api/session', '/api/operations', '/api/backups', '/api/schedules', '/api/locations', '/api/proof', '/login'],
  ...['/api/operations/:id', '/api/operations/:id/log', '/api/backups/:id/contents', '/api/backups/:id/item'],
  ...['/api/backups/:id/diff', '/download/:id', '/metrics', '/:id', '/api/:id'],
];
const path = fc
  .tuple(fc.constantFrom(...GETS), id)
  .map(([each, value]) => each.replace(':id', () => encodeURIComponent(value.toWellFormed())));

const FIELDS = ['metadata', 'spec', 'status', 'kind', 'apiVersion', 'name', 'generateName', 'namespace', 'labels'];
const SPEC = ['includedNamespaces', 'labelSelector', 'ttl', 'backupName', 'schedule', 'template', 'hooks', 'token'];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, fc.double(), fc.bigInt().map(Number), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom(...FIELDS, ...SPEC, '__proto__', 'cluster'), tie('value'), { maxKeys: 5 }),
  ),
}));
const object = fc.oneof(
  value,
  fc.record({ kind: fc.constantFrom('Backup', 'Restore'), metadata: value, spec: value }, { requiredKeys: [] }),
  fc.record({ metadata: fc.record({ name: text }), spec: fc.dictionary(fc.constantFrom(...SPEC), value) }),
  fc.record({ token: text, cluster: fc.constantFrom('demo', 'x') }),
);
const body = fc.oneof(
  object.map((each) => JSON.stringify(each)),
  // Cut short, or with something else in it.
  fc.tuple(object, fc.nat(200), fc.string({ maxLength: 5 })).map(([each, at, other]) => {
    const whole = JSON.stringify(each);
    return whole.slice(0, at) + other + whole.slice(at + 3);
  }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);
const POSTS = ['/api/backups', '/api/restores', '/api/schedules', '/api/plan', '/api/login', '/api/logout/x'];
const header = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) });

describe('any request is answered, and none is a bug', { timeout: 600_000 }, () => {
  it.each(['/api/backups', '/api/plan', '/api/login'])('with the bodies of past findings at %s', async (at) => {
    const deep = (open: string, close: string): string => open.repeat(150_000) + close.repeat(150_000);
    for (const sent of [
      `{"metadata":{"name":"x"},"spec":${deep('[', ']')}}`,
      deep('[', ']'),
      '['.repeat(900_000),
      `"${'\\"'.repeat(400_000)}`,
      `{"kind":"Backup","metadata":{"name":"x"},"spec":{"includedNamespaces":[${'0,'.repeat(100_000)}0]}}`,
      `{"kind":"Backup","metadata":{"name":"x"},"spec":{"ttl":1e400,"a":${'9'.repeat(100_000)}}}`,
      '{"__proto__":{"metadata":{}},"metadata":{"__proto__":null,"name":"x"},"spec":{"constructor":{}}}',
      '{"metadata":{"name":"x","name":"y"},"spec":{},"spec":null}',
    ]) {
      await survive(at, { method: 'POST', headers: me, body: sent });
    }
  });

  it('with any path and query', async () => {
    const property = fc.asyncProperty(path, query, fc.constantFrom('GET', 'HEAD'), async (at, asked, method) => {
      await survive(`${at}?${asked}`, { method, headers: me });
    });
    await fc.assert(property, { numRuns: fuzzRuns(50) });
  });

  it('with any body', async () => {
    const property = fc.asyncProperty(fc.constantFrom(...POSTS), body, async (at, sent) => {
      await survive(at, { method: 'POST', headers: me, body: sent.toWellFormed() });
    });
    await fc.assert(property, { numRuns: fuzzRuns(50) });
  });

  it('with any cookie and headers', async () => {
    const cookie = fc.tuple(fc.nat(300), fc.nat(30), header).map(([at, length, other]) => {
      return me.cookie.slice(0, at) + other + me.cookie.slice(at + length);
    });
    const headers = fc.record(
      {
        cookie: fc.oneof(cookie, header),
        authorization: fc.oneof(
          header,
          header.map((token) => `Bearer ${token}`),
        ),
        'x-headway-cluster': header,
        'x-csrf-token': header,
        origin: header,
        'last-event-id': header,
      },
      { requiredKeys: [] },
    );
    const property = fc.asyncProperty(headers, fc.constantFrom('GET', 'POST'), async (sent, method) => {
      const asked = method === 'GET' ? {} : { body: { metadata: { name: 'x' }, spec: {} } };
      await survive('/api/backups', { method, headers: sent, ...asked });
    });
    await fc.assert(property, { numRuns: fuzzRuns(50) });
  });
});
