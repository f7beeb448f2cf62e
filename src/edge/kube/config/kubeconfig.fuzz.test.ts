import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { isAppError } from '../../../base/index.ts';
import { systemClock } from '../../../main/system-clock.ts';
import { loadConnection } from './load-connection.ts';

const SECRET = 'hunter2-token';
const VALID = `apiVersion: v1
kind: Config
current-context: a
contexts: [{name: a, context: {cluster: a, user: a, namespace: shop}}]
clusters: [{name: a, cluster: {server: 'https://10.0.0.1:6443', insecure-skip-tls-verify: true}}]
users: [{name: a, user: {token: ${SECRET}}}]
`;
/** For one file, on a busy machine. */
const MAX_MS = 10_000;

let directory: string;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'headway-fuzz-'));
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

/** A connection or an error that names the file; in time, and without the file's secrets. */
async function outcomeOf(text: string | Uint8Array): Promise<'loaded' | 'refused'> {
  const file = join(directory, 'config');
  writeFileSync(file, text);
  const startedAt = performance.now();
  try {
    await loadConnection({ clock: systemClock, env: {}, homeDir: directory }, { kubeconfig: file });
    return 'loaded';
  } catch (error) {
    if (!isAppError(error, 'invalidConfig')) throw error;
    expect(error.message).toContain(file);
    expect(error.message.length).toBeLessThan(10_000);
    expect(`${error.message} ${String(error.cause)}`).not.toContain(SECRET);
    return 'refused';
  } finally {
    expect(performance.now() - startedAt).toBeLessThan(MAX_MS);
  }
}

const survive = async (text: string | Uint8Array): Promise<void> => {
  await outcomeOf(text);
};

/** A part of the text is removed, doubled, or replaced. */
const mutated = fc
  .array(
    fc.tuple(fc.nat(VALID.length), fc.nat(20), fc.constantFrom('cut', 'double', 'put'), fc.string({ maxLength: 8 })),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((changes) => {
    let text = VALID;
    for (const [at, length, how, other] of changes) {
      const part = text.slice(at, at + length);
      text = text.slice(0, at) + { cut: '', double: part + part, put: other }[how] + text.slice(at + length);
    }
    return text;
  });

const WORDS = [
  ...['name', 'cluster', 'user', 'context', 'clusters', 'users', 'contexts', 'current-context', 'server', 'namespace'],
  ...['certificate-authority-data', 'client-certificate-data', 'client-key-data', 'proxy-url', 'tls-server-name'],
  ...['token', 'tokenFile', 'username', 'password', 'as', 'as-groups', 'as-user-extra', 'auth-provider', 'config'],
  ...['insecure-skip-tls-verify', 'disable-compression', 'kind', 'apiVersion', '__proto__', 'constructor'],
];
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.constantFrom('a', 'https://a', '', 'Config'),
      fc.string(),
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...WORDS), tie('value'), { maxKeys: 4 }),
  ),
}));
const named = (what: string) =>
  fc.array(fc.record({ name: fc.constantFrom('a', 'b'), [what]: fc.dictionary(fc.constantFrom(...WORDS), value) }), {
    maxLength: 2,
  });
const shaped = fc.record({
  'current-context': fc.constant('a'),
  contexts: fc.constant([{ name: 'a', context: { cluster: 'a', user: 'a' } }]),
  clusters: fc.oneof(named('cluster'), value),
  users: fc.oneof(named('user'), value),
});

describe('a kubeconfig file', { timeout: 300_000 }, () => {
  it('is loaded when it is whole', async () => {
    expect(await outcomeOf(VALID)).toBe('loaded');
  });

  it.each([
    ['a text without end of brackets', '['.repeat(10_000)],
    ['brackets in brackets', `${'['.repeat(10_000)}${']'.repeat(10_000)}`],
    ['maps in maps', `${'{a: '.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['lists in lists, by lines', Array.from({ length: 3000 }, (_, at) => `${' '.repeat(at)}-`).join('\n')],
    ['a billion laughs', laughs(12)],
    ['an alias of itself', 'a: &a [*a]\nclusters: *a\ncontexts: *a\n'],
    ['a merge of itself', 'a: &a\n  <<: *a\ncontexts: []\n'],
    ['a long line', `a: "${'\\"'.repeat(500_000)}`],
    ['many documents', '---\n'.repeat(5000)],
    ['many anchors', Array.from({ length: 1000 }, (_, at) => `k${String(at)}: &a${String(at)} x`).join('\n')],
    ['no text', Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x00])],
    ['nothing', ''],
  ])('that is %s is refused', async (_, text) => {
    expect(await outcomeOf(text)).toBe('refused');
  });

  it('of any bytes is loaded or refused', async () => {
    await fc.assert(fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' })), survive), {
      numRuns: fuzzRuns(20),
    });
  });

  it('that was changed anywhere is loaded or refused', async () => {
    await fc.assert(fc.asyncProperty(mutated, survive), { numRuns: fuzzRuns(40) });
  });

  it('with anything in any field is loaded or refused', async () => {
    const text = fc.oneof(shaped, value).map((object) => stringify(object));
    await fc.assert(fc.asyncProperty(text, survive), { numRuns: fuzzRuns(40) });
  });
});

function laughs(levels: number): string {
  const lines = Array.from({ length: levels }, (_, at) => {
    const part = at === 0 ? '"ha"' : `*l${String(at - 1)}`;
    return `l${String(at)}: &l${String(at)} [${Array.from({ length: 9 }, () => part).join(', ')}]`;
  });
  return `${lines.join('\n')}\ncontexts: *l${String(levels - 1)}\n`;
}
