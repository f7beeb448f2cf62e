import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Backup } from '../../src/api/index.ts';
import type { Planner } from '../../src/server/index.ts';
import { startCluster, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { objectOf } from '../kube-kinds.ts';
import { ReviewingServer } from './reviewing-server.ts';
import { Served, type Answer } from './served.ts';

let cluster: EngineCluster;
let api: ReviewingServer;
let served: Served;
/** Every piece of work that was begun; each ends when the test lets it, or with whoever asked for it. */
let begun: (() => void)[] = [];
let running = 0;
let most = 0;

const work = async (signal: AbortSignal): Promise<void> => {
  const ended = Promise.withResolvers<undefined>();
  const end = (): void => {
    ended.resolve(undefined);
  };
  running += 1;
  most = Math.max(most, running);
  begun.push(end);
  signal.addEventListener('abort', end);
  await ended.promise;
  running -= 1;
};
const nothing = { validationErrors: [], unmatched: [], warnings: [], leftOut: [] };
const planner: Partial<Planner> = {
  plans: {
    Backup: async ({ signal }) => {
      await work(signal);
      return { kind: 'Backup', ...nothing, namespaces: [], resources: [], total: 0 };
    },
  },
  verify: async (_backup, signal) => {
    await work(signal);
    return { ok: true, sha256Found: 'x', entries: 0, problems: [] };
  },
};

beforeAll(async () => {
  cluster = await startCluster();
  api = await ReviewingServer.start();
  for (const name of ['anna', 'bert', 'carl', 'dora']) api.users.set(name, { name, may: ['*'] });
  await cluster.kube.create({ type: Backup, namespace: 'velero' }, objectOf(Backup, 'one', { spec: {} }));
  served = await Served.start(
    [{ name: 'demo', kubeconfig: cluster.kubeconfig, login: 'token', usersAt: api.url, planner }],
    { limits: { heavy: { atOnce: 2, perCaller: 1, waiting: 4, waitMs: 500 } } },
  );
  await eventually(async () => {
    expect((await served.ask(`/api/operations/${ID}`, { headers: as('anna') })).status).toBe(200);
  });
});
beforeEach(() => {
  [begun, most] = [[], 0];
  return async () => {
    await eventually(() => {
      for (const end of begun) end();
      expect(running).toBe(0);
    });
  };
});
afterAll(async () => {
  await served[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

const ID = 'demo.backup.velero.one';
const as = (token: string) => ({ authorization: `Bearer ${token}` });
const verify = (token: string): Promise<Answer> =>
  served.ask(`/api/backups/${ID}/verify`, { method: 'POST', headers: as(token) });
const hasBegun = (count: number) =>
  eventually(() => {
    expect(begun).toHaveLength(count);
  });

describe('verifying', () => {
  it('is done for one caller once at a time; a few wait and the rest are told when to come back', async () => {
    const answers: Answer[] = [];
    const asked = Array.from({ length: 100 }, async () => answers.push(await verify('anna')));
    await eventually(() => {
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 99 }, () => 429));
    });
    const { headers, json } = answers[0]!;
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(json).toMatchObject({
      error: { code: 'throttled', message: expect.stringContaining('the server is busy') as string },
    });
    expect(most).toBe(1);
    begun[0]!();
    await Promise.all(asked);
    expect(answers.at(-1)?.status).toBe(200);
  });

  it('is done for two callers at a time, and the next one waits for a turn', async () => {
    const asked = ['anna', 'bert', 'carl'].map(verify);
    await hasBegun(2);
    begun[0]!();
    await hasBegun(3);
    expect(most).toBe(2);
    for (const end of begun) end();
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('ends with whoever asked for it, and gives the turn on', async () => {
    const leaving = new AbortController();
    const gone = fetch(`${served.url}/api/backups/${ID}/verify`, {
      method: 'POST',
      headers: as('anna'),
      signal: leaving.signal,
    });
    await hasBegun(1);
    const next = verify('anna');
    leaving.abort();
    await expect(gone).rejects.toThrow();
    await hasBegun(2);
    begun[1]!();
    expect((await next).status).toBe(200);
  });
});

it('counts dry runs and verifying together', async () => {
  const body = { kind: 'Backup', spec: {} };
  const first = verify('anna');
  await hasBegun(1);
  const plan = served.ask('/api/plan', { method: 'POST', headers: as('anna'), body });
  expect((await plan).status).toBe(429);
  begun[0]!();
  expect((await first).status).toBe(200);
});
