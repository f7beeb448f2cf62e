import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkBucket } from './check-bucket.ts';

const RECORDED = new URL('../fixtures/velero/velero-1.18.3-bucket.tar.gz', import.meta.url).pathname;
let bucket: string;
beforeEach(() => {
  bucket = mkdtempSync(join(tmpdir(), 'headway-bucket-'));
  execFileSync('tar', ['xzf', RECORDED, '-C', bucket]);
});
afterEach(() => {
  rmSync(bucket, { recursive: true });
});

describe('the checker of buckets', () => {
  it('finds nothing wrong with what real Velero wrote', async () => {
    expect(await checkBucket(bucket)).toEqual([]);
  });

  it.each([
    ['a file at the top', 'extra/x', 'x', "extra/x: not a place of Velero's"],
    [
      'results of another shape',
      'backups/shop-1/shop-1-results.gz',
      gzipSync('{"errors":[]}'),
      'shop-1-results.gz: errors',
    ],
    ['a list that is not gzipped', 'backups/shop-1/shop-1-resource-list.json.gz', '{}', 'incorrect header check'],
    [
      'metadata of another backup',
      'backups/shop-1/velero-backup.json',
      '{"kind":"Backup"}',
      'the name shop-1 expected',
    ],
    ['an archive cut short', 'backups/shop-1/shop-1.tar.gz', gzipSync(Buffer.alloc(1024)), 'expected metadata/version'],
  ])('sees %s', async (_what, path, content, problem) => {
    const target = join(bucket, path);
    execFileSync('mkdir', ['-p', join(target, '..')]);
    writeFileSync(target, content);
    const found = await checkBucket(bucket).catch((error: unknown) => [String(error)]);
    expect(found.join('\n')).toContain(problem);
  });
});
