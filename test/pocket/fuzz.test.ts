import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PocketFixture } from './pocket-fixture.ts';

const RUNS = process.env['HEADWAY_CAMPAIGN'] === '1' ? 2000 : 100;
const MAPS = '/api/v1/namespaces/default/configmaps';
const PATCHES = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml', 'nonsense'];

let fixture: PocketFixture;
beforeAll(async () => {
  fixture = await PocketFixture.start();
  const created = await fixture.ask(MAPS, { method: 'POST', body: { metadata: { name: 'victim' }, data: { a: '1' } } });
  expect(created.code).toBe(201);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** The server answered with a code of its own choice, and it still works. */
async function expectAlive(answer: { code: number; text: string }): Promise<void> {
  expect(answer.code, answer.text.slice(0, 500)).not.toBe(500);
  expect(answer.code).toBeGreaterThanOrEqual(200);
  expect((await fixture.ask('/readyz')).text).toBe('ok');
}

describe('malformed input', () => {
  it('paths', { timeout: 120_000 }, async () => {
    const part = fc.oneof(
      fc.constantFrom(
        'api',
        'apis',
        'v1',
        'apps',
        'namespaces',
        'default',
        'configmaps',
        'pods',
        'status',
        '..',
        '%2e',
        '%',
        '%zz',
        '%00',
        '__proto__',
        '',
      ),
      fc.string({ maxLength: 20 }).map(encodeURIComponent),
    );
    const method = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS');
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 9 }), method, async (parts, verb) => {
        // Deleting whole collections is a right answer, but not one this test wants.
        const path = `/${parts.join('/')}${verb === 'DELETE' ? '?dryRun=All' : ''}`;
        await expectAlive(
          await fixture.ask(path, { method: verb, ...(verb === 'GET' || verb === 'HEAD' ? {} : { body: '{}' }) }),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it('queries and selectors', { timeout: 120_000 }, async () => {
    const names = ['labelSelector', 'fieldSelector', 'limit', 'continue', 'resourceVersionMatch', 'includeObject'];
    const selector = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc
        .array(fc.constantFrom('a', '=', '!', 'in', 'notin', '(', ')', ',', ' ', 'metadata.name', '==', '\\'), {
          maxLength: 12,
        })
        .map((parts) => parts.join('')),
    );
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), selector), async (query) => {
        await expectAlive(await fixture.ask(`${MAPS}?${new URLSearchParams(query).toString()}`));
      }),
      { numRuns: RUNS },
    );
  });

  it('bodies', { timeout: 120_000 }, async () => {
    const body = fc.oneof(
      fc.json(),
      fc.string({ maxLength: 200 }),
      fc
        .record(
          {
            kind: fc.jsonValue(),
            apiVersion: fc.jsonValue(),
            metadata: fc.jsonValue(),
            data: fc.jsonValue(),
            spec: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((value) => JSON.stringify(value)),
      fc
        .record(
          {
            metadata: fc.record(
              {
                name: fc.constant('fuzzed'),
                labels: fc.jsonValue(),
                annotations: fc.jsonValue(),
                finalizers: fc.jsonValue(),
                ownerReferences: fc.jsonValue(),
                generation: fc.jsonValue(),
                creationTimestamp: fc.jsonValue(),
              },
              { requiredKeys: ['name'] },
            ),
            spec: fc.jsonValue(),
            status: fc.jsonValue(),
          },
          { requiredKeys: ['metadata'] },
        )
        .map((value) => JSON.stringify(value)),
    );
    const paths = [
      MAPS,
      '/api/v1/namespaces/default/pods',
      '/api/v1/namespaces/default/services',
      '/apis/apps/v1/namespaces/default/deployments',
      '/apis/batch/v1/namespaces/default/jobs',
      '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
      '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews',
      '/api/v1/namespaces',
    ];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), body, async (path, text) => {
        await expectAlive(await fixture.ask(`${path}?dryRun=All`, { method: 'POST', body: text }));
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it('patches', { timeout: 120_000 }, async () => {
    const operation = fc.record(
      {
        op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'x'),
        path: fc.constantFrom(
          '/data',
          '/data/a',
          '/metadata/labels/a',
          '/metadata/finalizers',
          '',
          '/',
          '/~2',
          '/__proto__/x',
          '/data/-',
        ),
        from: fc.constantFrom('/data', '/data/a', ''),
        value: fc.jsonValue(),
      },
      { requiredKeys: [] },
    );
    const patch = fc.oneof(
      fc.json(),
      fc.array(operation, { maxLength: 4 }).map((value) => JSON.stringify(value)),
      fc
        .record({ metadata: fc.jsonValue(), data: fc.jsonValue(), $patch: fc.jsonValue() }, { requiredKeys: [] })
        .map((value) => JSON.stringify(value)),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATCHES), patch, async (type, text) => {
        const headers = { 'content-type': `application/${type}` };
        await expectAlive(await fixture.ask(`${MAPS}/victim?dryRun=All`, { method: 'PATCH', headers, body: text }));
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it('protobuf', { timeout: 120_000 }, async () => {
    const envelope = Buffer.from('k8s\0');
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const headers = { 'content-type': 'application/vnd.kubernetes.protobuf' };
        const body = Buffer.concat([envelope, bytes]);
        await expectAlive(await fixture.ask(`${MAPS}?dryRun=All`, { method: 'POST', headers, body }));
      }),
      { numRuns: RUNS },
    );
  });

  it('a name of a megabyte', async () => {
    const name = 'n'.repeat(1024 * 1024 - 2000);
    expect((await fixture.ask(`${MAPS}/${name}`)).code).toBe(404);
    expect((await fixture.ask(MAPS, { method: 'POST', body: { metadata: { name } } })).code).toBe(422);
  });

  it('a body that is too large', async () => {
    const body = { metadata: { name: 'large' }, data: { a: 'x'.repeat(4 * 1024 * 1024) } };
    const answer = await fixture.ask(MAPS, { method: 'POST', body });
    expect(answer.code).toBe(413);
    expect(answer.body['message']).toBe('Request entity too large: limit is 3145728');
  });

  it('a body nested without end', async () => {
    const answer = await fixture.ask(MAPS, {
      method: 'POST',
      body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    });
    expect(answer.code).toBe(400);
    expect(answer.body['message']).toContain('exceeded max depth');
  });

  it('a token nobody knows', async () => {
    const answer = await fixture.ask(MAPS, { token: 'guess' });
    expect(answer.code).toBe(401);
    expect(answer.body).toMatchObject({ kind: 'Status', reason: 'Unauthorized' });
  });
});
