import { EventEmitter } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBench } from '../scripts/bench-process.ts';
import { eventually } from './eventually.ts';
import { processEnds } from './headway-process.ts';

/** A bench that starts a server, which says when it is asked to end, makes a file, and then does as it is told. */
const BENCH = `
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
const [place, onTerm, then] = process.argv.slice(2);
const script = \`trap '\${onTerm}' TERM INT; echo $$ >"$0/pid"; while :; do sleep 0.05; done\`;
spawn('sh', ['-c', script, place], { stdio: 'ignore' });
writeFileSync(join(place, 'temporary'), mkdtempSync(join(tmpdir(), 'made-')));
setInterval(() => then === 'fail' && existsSync(join(place, 'pid')) && process.exit(7), 20);
`;

describe('a bench', () => {
  let place: string;
  let file: string;
  beforeEach(() => {
    place = mkdtempSync(join(tmpdir(), 'headway-bench-test-'));
    file = join(place, 'bench.mjs');
    writeFileSync(file, BENCH);
  });
  afterEach(() => {
    rmSync(place, { recursive: true, force: true });
  });
  const said = (name: string): string => (existsSync(join(place, name)) ? readFileSync(join(place, name), 'utf8') : '');
  const begun = async (): Promise<number> =>
    await eventually(
      () => {
        expect(said('pid')).toMatch(/^\d+\n$/);
        expect(said('temporary')).not.toBe('');
        return Number(said('pid'));
      },
      { withinMs: 15_000 },
    );
  const polite = 'echo ended >"$0/last"; exit 0';

  it.each([
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ])('that %s interrupts ends with what it started and made', async (signal, code) => {
    const host = new EventEmitter();
    const running = runBench(file, [place, polite, 'wait'], host);
    const pid = await begun();
    const temporary = said('temporary');
    expect(existsSync(temporary)).toBe(true);
    host.emit(signal, signal);
    expect(await running).toBe(code);
    await processEnds(pid);
    // It was asked, and not killed.
    expect(said('last')).toBe('ended\n');
    expect(existsSync(join(temporary, '..'))).toBe(false);
    expect(host.eventNames()).toEqual([]);
  });

  it('that fails takes its server along', async () => {
    expect(await runBench(file, [place, polite, 'fail'], new EventEmitter())).toBe(7);
    await processEnds(Number(said('pid')));
    expect(said('last')).toBe('ended\n');
    expect(existsSync(said('temporary'))).toBe(false);
  });

  it('that does not listen is killed at the second signal', async () => {
    const host = new EventEmitter();
    const running = runBench(file, [place, 'echo asked >"$0/last"', 'wait'], host);
    const pid = await begun();
    host.emit('SIGTERM', 'SIGTERM');
    await eventually(() => {
      expect(said('last')).toBe('asked\n');
    });
    host.emit('SIGTERM', 'SIGTERM');
    expect(await running).toBe(143);
    await processEnds(pid);
  });
});
