import { expect, it } from 'vitest';
import { storedAllItself } from './kopia-reuse.ts';

const LINE = ' * 0 hashing, 3 hashed (300 KB), 0 cached (0 B), uploaded 186 B, estimating...';
const METRICS = [
  '# TYPE kopia_content_deduplicated_bytes_total counter',
  'kopia_content_deduplicated_bytes_total 0',
  '# TYPE kopia_content_deduplicated_total counter',
  'kopia_content_deduplicated_total 0',
  'kopia_content_encrypted_bytes_total 300865',
  '',
].join('\n');

it('is so when the last line and the metrics say it', () => {
  expect(storedAllItself(LINE, METRICS)).toBe(true);
  const estimated = LINE.replace('estimating...', 'estimated 300 KB (100.0%) 0s left');
  expect(storedAllItself(estimated.trim(), METRICS)).toBe(true);
});

it.each([
  ['files were taken from an earlier snapshot', LINE.replace('0 cached (0 B)', '2 cached (200 KB)'), METRICS],
  ['an empty file was', LINE.replace('0 cached', '1 cached'), METRICS],
  ['it was not the last line', LINE.replace('*', '|'), METRICS],
  ['a file was still being read', LINE.replace('0 hashing', '1 hashing'), METRICS],
  ['there was no line', '', METRICS],
  ['a content was known', LINE, METRICS.replace('deduplicated_total 0', 'deduplicated_total 1')],
  ['many were', LINE, METRICS.replace('deduplicated_total 0', 'deduplicated_total 05')],
  ['that is said of bytes only', LINE, METRICS.replace(/^kopia_content_deduplicated_total.*\n/m, '')],
  ['there are no metrics', LINE, ''],
])('is not so when %s', (_, line, metrics) => {
  expect(storedAllItself(line, metrics)).toBe(false);
});
