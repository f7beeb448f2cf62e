import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';

const isCampaign = process.env['HEADWAY_CAMPAIGN'] !== undefined;
const MIB = 1024 ** 2;
const MAKE = new URL('make-many.ts', import.meta.url).pathname;
const OPEN = new URL('open-many.ts', import.meta.url).pathname;

type Case = [what: string, count: number, nameLength: number, outcome: unknown];

/** What opening an archive of so many items with names of that length comes to, and the memory it takes. */
async function opened(count: number, nameLength: number): Promise<{ outcome: unknown; grownBytes: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'headway-many-'));
  const make = spawn(process.execPath, [MAKE, String(count), String(nameLength)], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const open = spawn(process.execPath, [OPEN, join(folder, 'spool')], {
    stdio: [make.stdout, 'pipe', 'inherit'],
  });
  // The other program has it now, and sees its end only when nobody else holds it.
  make.stdout.destroy();
  try {
    const result = JSON.parse(await text(open.stdout)) as { outcome: unknown; grownBytes: number };
    expect(readdirSync(folder)).toEqual([]);
    return result;
  } finally {
    make.kill('SIGKILL');
    open.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

const LITTLE: Case[] = [['100 000 items', 100_000, 40, 100_000]];
const MILLIONS: Case[] = [
  ['a million items', 1_000_000, 40, 1_000_000],
  ['one item more, which is refused', 1_000_001, 40, expect.stringContaining('at most 1000000 entries')],
  ['a million items with the longest names', 1_000_000, 250, expect.stringContaining('expected names of at most')],
];

// As objects in a Map, 100 000 items took 140 MB, and a million 540 MB.
it.each(isCampaign ? MILLIONS : LITTLE)(
  'takes little memory for %s',
  async (_, count, nameLength, outcome) => {
    const result = await opened(count, nameLength);
    expect(result.outcome).toEqual(outcome);
    expect(result.grownBytes).toBeLessThan(isCampaign ? 200 * MIB : 60 * MIB);
  },
  300_000,
);
