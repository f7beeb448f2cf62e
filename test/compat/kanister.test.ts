import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { NAMESPACE } from '../../src/api/index.ts';
import { ActionCluster } from '../action/action-cluster.ts';
import { programPath } from '../bed/cache.ts';
import { partNamed } from '../bed/parts.ts';
import { IS_CAMPAIGN } from '../faults/seeded-random.ts';
import { objectOf } from '../kube-kinds.ts';
import { podClusters } from '../pod-clusters.ts';
import { SHORT_LIVED } from './stock-cli.ts';

/** The suite as it was given to us: its goldens are not ours to change. */
const SUITE = join(import.meta.dirname, '../fixtures/compat-kanister');
/** Those that wait longest begin first. */
const LONG = /^(08|10)-/;
const CASES = readdirSync(join(SUITE, 'cases'))
  .filter((file) => file.endsWith('.mjs'))
  .sort((one, other) => Number(LONG.test(other)) - Number(LONG.test(one)));
/** The others take a minute and more on a kubelet, and are run there in the campaign. */
const SHORT = /^(01|03|05|12|15)-/;
const CASE_MS = 300_000;
/** An image with sh, bash and kando; pocket has them all. */
const IMAGES = { kubelet: 'docker.io/library/headway:dev', pocket: 'docker.io/bed/kanister-tools:1' } as const;

// Of both clusters together: they wait most of their time, and look often whether something has happened.
vi.setConfig({ maxConcurrency: 8 });
for (const kind of await podClusters()) {
  const title = kind.title('Blueprints and ActionSets as Kanister 0.119.0 runs them,');
  describe.skipIf(kind.missing)(title, { timeout: CASE_MS, concurrent: true }, () => {
    let cluster: ActionCluster;
    beforeAll(async () => {
      cluster = await ActionCluster.start(kind);
      await cluster.bed?.clusters[0]?.node?.load('headway');
    }, 300_000);
    afterAll(async () => {
      await cluster?.[Symbol.asyncDispose]();
    });

    // Each has a namespace of its own, so that none sees the pods of another.
    const cases = CASES.filter((file) => kind.name === 'pocket' || IS_CAMPAIGN || SHORT.test(file));
    it.concurrent.each(cases)('%s', async (file) => {
      const namespace = `kanister-${file.slice(0, 2)}`;
      await cluster.kube.create({ type: NAMESPACE }, objectOf(NAMESPACE, namespace));
      const said = await outputOf(['--only', file], {
        ...{ KUBECONFIG: cluster.kubeconfig, KUBECTL: programPath(partNamed('kubectl')) },
        ...{ KANISTER_IMAGE: IMAGES[kind.name], KANISTER_NAMESPACE: namespace, PATH: process.env['PATH'] ?? '' },
        // Where kubectl keeps what it has discovered; without it, that would be this repository.
        ...{ HOME: cluster.home.path, ...SHORT_LIVED },
      });
      expect(said).toMatch(/^ok /);
    });
  });
}

/** What it printed, also when it ended with a failure: its lines are the result. */
async function outputOf(args: string[], env: Record<string, string>): Promise<string> {
  return await new Promise((resolve) => {
    const program = [join(SUITE, 'kanister.mjs'), ...args];
    execFile(process.execPath, program, { env, timeout: CASE_MS - 10_000 }, (_error, stdout, stderr) => {
      resolve(`${stdout}${stderr}`);
    });
  });
}
