import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Api, type Answer, type Endpoint } from './api.ts';
import type { Case, CaseGroup, Stage } from './case.ts';
import { gone } from './eventual.ts';
import { readGolden, recording, writeGolden, type Golden } from './golden.ts';
import { normalize } from './normalize.ts';

export interface Server extends AsyncDisposable {
  endpoint: Endpoint;
}

interface SuiteOptions {
  title: string;
  skip: boolean;
  isReal: boolean;
  /** Cases wait most of their time: so many run at a time, of all groups. Unless given, vitest's own number, of one group. */
  atATime?: number;
  /** For one case; vitest's own unless given. */
  timeoutMs?: number;
  start(): Promise<Server>;
  /** After each case, whether it passed or not. */
  after?(stage: Stage): Promise<unknown>;
}

/** Every case of every group against one server. The goldens are the real server's answers. */
export function contractSuite(groups: readonly CaseGroup[], options: SuiteOptions): void {
  const timeout = options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs };
  if (options.atATime !== undefined) vi.setConfig({ maxConcurrency: options.atATime });
  describe.skipIf(options.skip)(options.title, { concurrent: options.atATime !== undefined }, () => {
    let server: Server;
    let api: Api;
    beforeAll(async () => {
      server = await options.start();
      api = new Api(server.endpoint);
    }, 120_000);
    afterAll(async () => {
      await api[Symbol.asyncDispose]();
      await server[Symbol.asyncDispose]();
    });
    for (const group of groups) {
      describe(group.group, () => {
        const golden = readGolden(group.group);
        for (const one of group.cases) {
          it.concurrent(one.name, timeout, async () => {
            const stage = await setStage(api, group, one);
            try {
              judge(one, normalize(await one.run(stage)), golden, options.isReal);
            } finally {
              await options.after?.(stage);
            }
          });
        }
        afterAll(() => {
          if (recording && options.isReal) writeGolden(group.group, inOrder(group, golden));
        });
      });
    }
  });
}

/** Cases run side by side; the file keeps the order of the list. */
function inOrder(group: CaseGroup, golden: Golden): Golden {
  return Object.fromEntries(group.cases.map(({ name }) => [name, golden[name]]));
}

function judge(one: Case, observed: unknown, golden: Golden, isReal: boolean): void {
  // What a golden file can hold, so that undefined and absent fields compare as they would on the wire.
  const seen: unknown = JSON.parse(JSON.stringify(observed));
  if (recording && isReal) {
    golden[one.name] = seen;
    return;
  }
  expect(Object.keys(golden), 'record it: HEADWAY_RECORD=1 npm test test/contract/real').toContain(one.name);
  if (!isReal && one.pocketDiffers !== undefined) expect(seen).not.toEqual(golden[one.name]);
  else expect(seen).toEqual(golden[one.name]);
}

async function setStage(api: Api, group: CaseGroup, one: Case): Promise<Stage> {
  const namespace = `c-${group.group}-${one.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}`
    .slice(0, 60)
    .replace(/-$/, '');
  const create = async (): Promise<Answer> =>
    await api.post('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  let { status, body } = await create();
  // A second chance begins where the first one left everything lying; the name stands in the goldens.
  if (status === 409) {
    await api.delete(`/api/v1/namespaces/${namespace}`);
    await gone(api, `/api/v1/namespaces/${namespace}`);
    ({ status, body } = await create());
  }
  expect([status, body]).toEqual([201, expect.anything()]);
  return { api, namespace };
}
