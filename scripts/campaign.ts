/**
 * `npm run campaign`: what takes too long for CI, run by hand and before a release.
 * CI runs a short, seeded part of each; here the same tests run with HEADWAY_CAMPAIGN=1, then the benches.
 */
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/** Of everything that takes one; the next campaign has another. */
const SEED = process.env['HEADWAY_SEED'] ?? String(randomInt(2 ** 31));

const JOBS: Readonly<Record<string, readonly string[]>> = {
  'fuzz: whatever reads text of users or of the network': ['vitest', 'run', 'fuzz.test', '--testTimeout=1800000'],
  'crashes of the pocket cluster': ['vitest', 'run', 'test/pocket', '--testTimeout=1800000'],
  'faults of the control plane': ['vitest', 'run', 'test/faults', '--testTimeout=1800000'],
  'contract and client on real servers': [
    'vitest',
    'run',
    'test/contract',
    'test/integration',
    '--testTimeout=1800000',
  ],
  "actions on a kubelet, by Kanister's recorded answers too": [
    ...['vitest', 'run', 'test/action', 'test/functions', 'test/compat/kanister', 'test/operation/'],
    '--testTimeout=1800000',
  ],
  'memory for a million entries': ['vitest', 'run', 'test/archive', '--testTimeout=1800000'],
  'property tests with other seeds': ['vitest', 'run', 'src'],
  'client against client-node': ['node', 'scripts/bench.ts', 'client'],
  'pocket speed': ['node', 'scripts/bench.ts', 'pocket'],
  'clusters as companies have them': [
    'node',
    'scripts/bench.ts',
    'real-load',
    '--sizes',
    'small,medium,large',
    '--seed',
    SEED,
  ],
};

/** Whether it went well; what it prints goes to the terminal. */
function run(name: string, [program = '', ...args]: readonly string[]): boolean {
  const startedAt = performance.now();
  console.log(`\n── ${name} (HEADWAY_SEED=${SEED})`);
  const env = { ...process.env, HEADWAY_CAMPAIGN: '1', HEADWAY_REQUIRE: 'bed', HEADWAY_SEED: SEED };
  const { status, error } = spawnSync(program, args, { stdio: 'inherit', env });
  if (error !== undefined) console.error(`${error.message} (run it as 'npm run campaign')`);
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(1);
  console.log(`── ${name}: ${status === 0 ? 'ok' : 'FAILED'} in ${minutes} min`);
  return status === 0;
}

function main(wanted: readonly string[]): number {
  const names = Object.keys(JOBS);
  const help = `npm run campaign [-- PART OF A NAME…]\n\n${names.join('\n')}`;
  if (wanted.includes('--help')) {
    console.log(help);
    return 0;
  }
  const unknown = wanted.filter((part) => !names.some((name) => name.includes(part)));
  if (unknown.length > 0) {
    console.error(`nothing in the campaign is named ${unknown.join(', ')}\n\n${help}`);
    return 2;
  }
  const chosen = Object.entries(JOBS).filter(
    ([name]) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
  const failed = chosen.filter(([name, command]) => !run(name, command)).map(([name]) => name);
  const again = `HEADWAY_SEED=${SEED} npm run campaign -- …`;
  console.log(
    failed.length === 0 ? '\nThe campaign passed' : `\nFailed: ${failed.join(', ')}. Repeat it with: ${again}`,
  );
  return failed.length === 0 ? 0 : 1;
}

process.exitCode = main(process.argv.slice(2));
