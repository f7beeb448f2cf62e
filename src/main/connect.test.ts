import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NO_LOG } from '../base/index.ts';
import { findConnection } from './connect.ts';
import { PocketDirectory } from './pocket-directory.ts';
import { runPocket, type RunningPocket } from './run-pocket.ts';

let home = '';
const told: string[] = [];
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'headway-connect-'));
  told.length = 0;
});
afterEach(() => {
  rmSync(home, { recursive: true, force: true });
});

const run = (name: string): Promise<RunningPocket> =>
  runPocket(new PocketDirectory(home, name), { pods: 'simulated', home, env: {} }, NO_LOG);
const find = (context?: string, env: NodeJS.ProcessEnv = {}) =>
  findConnection(context === undefined ? {} : { context }, {
    home,
    env: { HOME: home, ...env },
    tell: (line) => void told.push(line),
  });

it('says what to do when there is no cluster to be found', async () => {
  await expect(find()).rejects.toMatchObject({
    code: 'invalidConfig',
    message: `no kubeconfig found (looked for ${home}/.kube/config) and not running in a pod`,
    details: {
      hint: 'Choose a cluster with --kubeconfig FILE or $KUBECONFIG, or try Headway without one: headway up --demo',
    },
  });
});

it('takes the one pocket cluster that runs and names it', async () => {
  await using demo = await run('demo');
  await (await run('stopped'))[Symbol.asyncDispose]();
  expect(await find()).toMatchObject({ context: 'pocket-demo', server: demo.server });
  expect(told).toEqual(['Using pocket cluster "demo", the only one running']);
});

it('does not choose between two, and takes the one that is named', async () => {
  await using one = await run('one');
  await using _ = await run('two');
  await expect(find()).rejects.toMatchObject({
    details: { hint: 'These pocket clusters are running; choose one with --context: pocket-one, pocket-two' },
  });
  expect((await find('pocket-one')).server).toBe(one.server);
});

it('takes no other cluster when KUBECONFIG names a file that is missing', async () => {
  await using _ = await run('demo');
  await expect(find(undefined, { KUBECONFIG: join(home, 'typo') })).rejects.toMatchObject({
    message: `no kubeconfig found (looked for ${home}/typo) and not running in a pod`,
  });
  expect(told).toEqual([]);
});
