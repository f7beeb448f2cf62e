import fc from 'fast-check';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../../test/fake-clock.ts';
import { ContainerLog } from './container-log.ts';
import { LogFolder } from './log-folder.ts';
import { LineCutter, LineTimes, lineTime, parseLine } from './log-line.ts';
import { readLog, type LogOptions } from './read-log.ts';

const NOW = Date.UTC(2026, 0, 1);
const signal = new AbortController().signal;

describe('lines', () => {
  it('have times that only grow, also within a millisecond and when the clock is set back', () => {
    const times = new LineTimes();
    const all = [NOW, NOW, NOW - 5000, NOW + 1, NOW + 1].map((now) => times.next(now));
    expect(all[0]).toBe('2026-01-01T00:00:00.000000000Z');
    expect(all[1]).toBe('2026-01-01T00:00:00.000000001Z');
    expect(all).toEqual(all.toSorted());
    expect(new Set(all).size).toBe(all.length);
  });

  it('come out as they went in, however they are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 8 }), (chunks) => {
        const cutter = new LineCutter('stdout', new LineTimes());
        const written = Buffer.concat([...chunks.map((chunk) => cutter.cut(Buffer.from(chunk), NOW)), cutter.end(NOW)]);
        const lines = written.toString('latin1').split('\n').slice(0, -1);
        const said = lines.map((line) => {
          const parsed = parseLine(Buffer.from(line, 'latin1'));
          return `${parsed?.text.toString('latin1') ?? 'no line'}${parsed?.isPartial === true ? '' : '\n'}`;
        });
        expect(said.join('')).toBe(Buffer.concat(chunks).toString('latin1'));
      }),
    );
  });

  it.each([
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.000000000Z'],
    ['2026-01-01T02:00:00.123456789+02:00', '2026-01-01T00:00:00.123456789Z'],
    ['2026-01-01T00:00:00.5Z', '2026-01-01T00:00:00.500000000Z'],
    ['yesterday', undefined],
    ['2026-13-01T00:00:00Z', undefined],
  ])('compare with %s', (text, expected) => {
    expect(lineTime(text)).toBe(expected);
  });
});

describe('a log on the disk', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-log-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const read = async (options: Partial<LogOptions> = {}): Promise<string> => {
    const pieces: Buffer[] = [];
    for await (const piece of readLog(dir, { withTimes: false, ...options }, { signal })) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };

  it('keeps the newest files only, and is read over all of them', async () => {
    const folder = new LogFolder(dir, { maxBytes: 200, files: 3 });
    const cutter = new LineCutter('stdout', new LineTimes());
    for (let n = 0; n < 40; n += 1) await folder.append(cutter.cut(Buffer.from(`line ${n}\n`), NOW));
    await folder.close();
    expect(readdirSync(dir)).toHaveLength(3);
    const all = (await read()).trimEnd().split('\n');
    expect(all.at(-1)).toBe('line 39');
    expect(all).toEqual(Array.from({ length: all.length }, (_, index) => `line ${40 - all.length + index}`));
    expect(await read({ tailLines: 5 })).toBe('line 35\nline 36\nline 37\nline 38\nline 39\n');
    expect((await read({ tailLines: 1000 })).trimEnd().split('\n')).toEqual(all);
  });

  it('tells streams, times and limits apart', async () => {
    const clock = new FakeClock(NOW);
    const log = new ContainerLog(dir, clock);
    await log.write('stdout', Buffer.from('one\ntwo'));
    await clock.advance(1000);
    await log.write('stderr', Buffer.from('bad\n'));
    await log.write('stdout', Buffer.from(' and a half\nlast'));
    await log.end();
    expect(await read()).toBe('one\nbad\ntwo and a half\nlast');
    expect(await read({ stream: 'stderr' })).toBe('bad\n');
    expect(await read({ since: lineTime('2026-01-01T00:00:01Z') ?? '' })).toBe('bad\ntwo and a half\nlast');
    expect(await read({ tailLines: 2, limitBytes: 6 })).toBe('two an');
    expect(await read({ withTimes: true, tailLines: 1 })).toMatch(/^2026-01-01T00:00:01\.\d{9}Z last$/);
    expect(await read({ tailLines: 0 })).toBe('');
  });

  it('is followed to its end, over a change of files, without loss or doubles', async () => {
    const log = new ContainerLog(dir, new FakeClock(NOW));
    const line = `${'x'.repeat(1000)}\n`;
    let heard = 0;
    const following = (async () => {
      for await (const piece of readLog(dir, { withTimes: false }, { live: log, signal })) heard += piece.length;
    })();
    // More than one file holds.
    for (let n = 0; n < 150; n += 1) await log.write('stdout', Buffer.from(line.repeat(100)));
    await log.end();
    await following;
    expect(readdirSync(dir).length).toBeGreaterThan(1);
    expect(heard).toBe(150 * 100 * line.length);
  });

  it('counts what a full disk did not take, and goes on', async () => {
    const log = new ContainerLog('/dev/null/nowhere', new FakeClock(NOW));
    await log.write('stdout', Buffer.from('lost\n'));
    await log.end();
    expect(log.lost).toBeGreaterThan(5);
  });
});
