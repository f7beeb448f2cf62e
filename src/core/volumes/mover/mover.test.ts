import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyText } from '../../../../test/any-text.ts';
import { fuzzRuns } from '../../../../test/fuzz-runs.ts';
import { isAppError } from '../../../base/index.ts';
import { formatLine } from './format.ts';
import { formatJob, parseJob, type MoverJob } from './job.ts';
import { parseLine, type MoverLine } from './line.ts';
import { endOfMover, newMoverReport, readMover, type MoverReport } from './mover-report.ts';

const job: MoverJob = {
  kind: 'snapshot',
  uploader: 'kopia',
  id: 'b-0123456789',
  path: '/volume',
  repository: { kind: 'filesystem', path: '/repository' },
  program: 'kopia',
  scratch: '/scratch',
  source: { namespace: 'shop', pod: 'db-0', volume: 'data' },
};

const read = (...lines: (MoverLine | string)[]): MoverReport =>
  lines.reduce<MoverReport>(
    (report, line) => readMover(report, typeof line === 'string' ? line : formatLine(line).trimEnd()),
    newMoverReport(job.id),
  );
const progress = (bytesDone: number, more: object = {}): MoverLine => ({
  line: 'progress',
  id: job.id,
  step: 'copying',
  bytesDone,
  ...more,
});

describe('the job of a mover', () => {
  it('is written and read', () => {
    expect(parseJob(formatJob(job))).toEqual(job);
    const stream: MoverJob = { kind: 'restore', uploader: 'stream', id: 'x', path: '/v', totalBytes: 5, isExact: true };
    expect(parseJob(formatJob(stream))).toEqual(stream);
  });

  it.each<[string, object, RegExp]>([
    ['a path that is not absolute', { path: 'volume' }, /path: expected an absolute path/],
    ['an unknown field, such as a secret', { password: 'x' }, /password: expected no such field/],
    ['a source without a pod', { source: { namespace: 'a', volume: 'b' } }, /source\.pod/],
    ['another kind', { kind: 'copy' }, /kind/],
    ['another uploader', { uploader: 'rsync' }, /uploader/],
    ['tags that could be options', { tags: { '--x y': '1' } }, /tags/],
    ['an id that is no name', { id: '../x' }, /id: expected the id of a volume/],
  ])('is refused with %s', (_, change, message) => {
    expect(() => parseJob(JSON.stringify({ version: 1, ...job, ...change }))).toThrow(message);
  });

  it('is refused in another version, and when it is none', () => {
    expect(() => parseJob('{"version":2}')).toThrow('expected version 1, got 2');
    expect(() => parseJob('[]')).toThrow('expected version 1, got none');
    expect(() => parseJob('{')).toThrow('it is no JSON');
  });

  it('names snapshots by ids only', () => {
    const { source: _, ...rest } = { ...job, kind: 'restore', snapshotID: '--delete-extra' };
    expect(() => parseJob(JSON.stringify({ version: 1, ...rest }))).toThrow('expected the id of a kopia snapshot');
  });

  it('is read or refused with a sentence, whatever it is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.json(),
          fc.json().map((json) => `{"version":1,"uploader":"kopia",${json.slice(1)}`),
        ),
        (text) => {
          try {
            parseJob(text);
          } catch (error) {
            expect(isAppError(error, 'invalidConfig', 'unsupported')).toBe(true);
          }
        },
      ),
      { numRuns: fuzzRuns(300) },
    );
  });
});

describe('what a mover prints', () => {
  it('becomes progress, notes and an end', () => {
    const report = read(
      progress(10, { totalBytes: 100, current: 'a' }),
      { line: 'note', id: job.id, text: '2 sockets are not copied' },
      progress(60, { totalBytes: 100, step: 'verifying' }),
      { line: 'completed', id: job.id, bytesDone: 100, totalBytes: 100, snapshotID: 'abc' },
    );
    expect(report).toMatchObject({
      progress: { bytesDone: 100, totalBytes: 100 },
      step: 'verifying',
      notes: ['2 sockets are not copied'],
      foreign: 0,
    });
    expect(endOfMover(report, 0)).toMatchObject({ snapshotID: 'abc' });
  });

  it('does not fall, and counts for its own volume only', () => {
    const report = read(
      progress(50),
      progress(40),
      { ...progress(99), id: 'other-0123456789' },
      '{"line":"progress","id":"b-0123456789","bytesDone":-5,"step":"copying"}',
    );
    expect(report).toMatchObject({ progress: { bytesDone: 50 }, foreign: 1 });
  });

  it('may be that it could not read its job', () => {
    const report = read({ line: 'failed', id: '', code: 'invalidConfig', message: 'it is no JSON' });
    expect(() => endOfMover(report, 2)).toThrow('it is no JSON');
  });

  it('says nothing after its end', () => {
    const failed: MoverLine = { line: 'failed', id: job.id, code: 'tooLarge', message: 'the disk is full' };
    const report = read(progress(1), failed, { line: 'completed', id: job.id, bytesDone: 9 }, progress(9));
    expect(report.progress).toEqual({ bytesDone: 1 });
    expect(() => endOfMover(report, 1)).toThrow('the disk is full');
  });

  it('is not a success without exit code 0, and not one without a word', () => {
    const done: MoverLine = { line: 'completed', id: job.id, bytesDone: 9 };
    expect(() => endOfMover(read(done), 137)).toThrow(
      'the mover ended without a result, it was killed, as when memory runs out',
    );
    expect(() => endOfMover(read(done), 1)).toThrow('it left with exit code 1');
    expect(() => endOfMover(read(progress(3), 'FATAL ERROR: heap out of memory'), undefined)).toThrow(
      'the mover ended without a result, it was killed; it said: FATAL ERROR: heap out of memory',
    );
    expect(() => endOfMover(read(), 0)).toThrow('without a result');
  });

  it('may be anything: it stays bounded, and what is done never falls', () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(2 ** 60, -1));
    const line = fc.record({
      line: fc.constantFrom('progress', 'note', 'completed', 'failed', 'other'),
      id: fc.constantFrom(job.id, 'x'),
      bytesDone: number,
      totalBytes: number,
      step: fc.constantFrom('copying', 'dancing'),
      text: anyText(),
      message: anyText(),
      code: fc.constantFrom('tooLarge', 'none'),
    });
    const output = fc.oneof(
      line.map((one) => JSON.stringify(one)),
      anyText({ maxLength: 3000 }),
    );
    fc.assert(
      fc.property(fc.array(output, { maxLength: 60 }), (lines) => {
        let before = newMoverReport(job.id);
        for (const text of lines) {
          parseLine(text);
          const after = readMover(before, text);
          expect(after.progress?.bytesDone ?? 0).toBeGreaterThanOrEqual(before.progress?.bytesDone ?? 0);
          expect(after.notes.length).toBeLessThanOrEqual(20);
          expect(JSON.stringify(after.stray).length).toBeLessThan(20_000);
          before = after;
        }
      }),
      { numRuns: fuzzRuns(200) },
    );
  });
});
