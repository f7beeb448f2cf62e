import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { needsBed, run } from '../bed/index.ts';
import { isAlive, markedProcesses } from '../bed/processes.ts';
import { scratch, type Scratch } from '../bed/scratch.ts';
import { readState } from '../bed/state.ts';
import { eventually } from '../eventually.ts';

const need = needsBed({ clusters: 1, s3: true });
const ROOT = join(import.meta.dirname, '..', '..');
const SCRIPT = join(ROOT, 'scripts', 'bed.ts');
const TIMEOUT_MS = 90_000;

async function command(place: Scratch, ...args: string[]): Promise<string> {
  return await run(process.execPath, { args: [SCRIPT, ...args], env: { HEADWAY_BED_HOME: place.directory } });
}

/** A starter of a bed, and the bed's directory once it has started a program. */
async function starting(place: Scratch, args: string[], programs: number) {
  const starter = place.start(process.execPath, args, { HEADWAY_BED_HOME: place.directory });
  starter.stdout?.resume();
  const directory = await eventually(
    () => {
      const [name] = readdirSync(place.directory).filter((entry) => !entry.startsWith('.'));
      const found = join(place.directory, name ?? 'none yet');
      expect(readState(found)?.processes.length).toBeGreaterThanOrEqual(programs);
      return found;
    },
    { withinMs: 60_000 },
  );
  return { starter, directory };
}

async function nothingLeft(place: Scratch, directory: string): Promise<void> {
  await eventually(
    () => {
      expect(markedProcesses(directory)).toEqual([]);
      expect(readdirSync(place.directory)).toEqual([]);
    },
    { withinMs: 20_000 },
  );
}

describe.skipIf(need.missing)(need.title('npm run bed'), { timeout: TIMEOUT_MS }, () => {
  it('brings a bed up, shows it, prints its environment and takes it down', async () => {
    using place = scratch();
    try {
      expect(await command(place, 'up', '--clusters', '2', '--s3')).toMatch(/bed default is up, ready after [\d.]+ s/);
      const { processes } = readState(join(place.directory, 'default'))!;
      expect(processes.every(isAlive)).toBe(true);
      expect(await command(place, 'up')).toContain('bed default is up already');
      await expect(command(place, 'up', '--nodes')).rejects.toThrow(/up without nodes; take it down first/);
      await expect(command(place, 'up', '--velero')).rejects.toThrow(/up without Velero; take it down first/);
      expect(await command(place, 'status')).toMatch(/default: up, in .*\n {2}context bed-1 [^]*context bed-2/);
      const exports = await command(place, 'env');
      const script = `${exports}\nkubectl --context bed-2 get namespaces -o name; echo "$AWS_ENDPOINT_URL"`;
      expect(await run('sh', { args: ['-c', script] })).toMatch(/namespace\/default[^]*http:\/\/127\.0\.0\.1/);
      expect(await command(place, 'down')).toBe('bed default is down, 7 processes ended\n');
      expect(processes.some(isAlive)).toBe(false);
    } finally {
      await command(place, 'down');
    }
    await nothingLeft(place, join(place.directory, 'default'));
  });

  it('takes down what a killed starter left', async () => {
    using place = scratch();
    const { starter, directory } = await starting(place, [SCRIPT, 'up', '--s3'], 2);
    const { processes } = readState(directory)!;
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    expect(processes.every(isAlive)).toBe(true);
    expect(await command(place, 'status')).toContain('default: stale, the next up cleans it');
    await command(place, 'down');
    expect(processes.some(isAlive)).toBe(false);
    await nothingLeft(place, directory);
  });

  it('cleans what a killed starter left at the next up, also of another bed', async () => {
    using place = scratch();
    const { starter, directory } = await starting(place, [SCRIPT, 'up', '--s3'], 2);
    const { processes } = readState(directory)!;
    starter.kill('SIGKILL');
    await once(starter, 'exit');
    try {
      await command(place, 'up', '--clusters', '0', '--s3', '--name', 'other');
      expect(processes.some(isAlive)).toBe(false);
      expect(readdirSync(place.directory)).toEqual(['other']);
    } finally {
      await command(place, 'down', '--name', 'other');
    }
    await nothingLeft(place, directory);
  });

  it('leaves nothing when up is interrupted', async () => {
    using place = scratch();
    const { starter, directory } = await starting(place, [SCRIPT, 'up', '--s3'], 2);
    starter.kill('SIGINT');
    expect(await once(starter, 'exit')).toEqual([130, null]);
    await nothingLeft(place, directory);
  });
});

describe.skipIf(need.missing)(need.title("a killed test's bed"), { timeout: TIMEOUT_MS }, () => {
  it('ends by itself', async () => {
    using place = scratch();
    const library = JSON.stringify(join(ROOT, 'test', 'bed', 'index.ts'));
    const script = `import { bed } from ${library}; await bed(); process.stdin.resume();`;
    const { starter, directory } = await starting(place, ['--input-type=module', '-e', script], 2);
    starter.kill('SIGKILL');
    await nothingLeft(place, directory);
  });
});
