import fc from 'fast-check';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { formatBackupInfo, parseBackupInfo } from './backup-info.ts';
import { copyStats } from './copy-stats.ts';
import { dataLocation } from './data-location.ts';
import { DataOutput } from './data-output.ts';
import { dataProgram, quoted } from './program.ts';
import { resticSize } from './sizes.ts';

const profile = (location: object, credential: object = { KeyPair: { ID: 'key', Secret: "se'cret" } }): string =>
  JSON.stringify({ Location: location, Credential: credential, SkipSSLVerify: false });
const S3 = { type: 's3Compliant', bucket: 'b', endpoint: 'http://store:9000/', prefix: 'ignored', region: 'r' };
const READ = { isInsecure: false };

function read(...lines: string[]): DataOutput {
  const output = new DataOutput();
  for (const line of lines) output.push(line);
  return output;
}

describe('dataLocation', () => {
  it('names repositories as Kanister does, with the bucket in front once', () => {
    const location = dataLocation(profile(S3), READ);
    expect(location.repository('b/x/y')).toEqual(location.repository('x/y/'));
    expect(location.repository('x/y')).toEqual({
      location: 'b/x/y',
      restic: 's3:http://store:9000/b/x/y',
      kopia: ['s3', '--bucket=b', '--prefix=x/y/', '--endpoint=store:9000', '--region=r', '--disable-tls'],
    });
    expect(location.env).toMatchObject({ AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: "se'cret" });
    // sha256 of "testpassword".
    expect(location.env['RESTIC_PASSWORD']).toBe('9f735e0df9a1ddc702bf0a1a7b83033f9f7153a00c29de82cedadc9957289b05');
  });

  it('has the flags for certificates that are not checked, and directories', () => {
    const open = dataLocation(profile({ ...S3, endpoint: 'store' }), { isInsecure: true, encryptionKey: 'k' });
    expect(open.resticFlags).toEqual(['--insecure-tls']);
    expect(open.repository('x').kopia).toContain('--disable-tls-verification');
    expect(open.env['KOPIA_PASSWORD']).toBe('k');
    const folder = dataLocation(profile({ type: 'headway.io/fs', endpoint: '/srv/', bucket: 'b' }), READ);
    expect(folder.repository('../../etc/x')).toMatchObject({ directory: '/srv/b/etc/x', restic: '/srv/b/etc/x' });
  });

  it.each([
    [{ ...S3, bucket: undefined }, 'x', 'the Profile has no bucket'],
    [{ ...S3, type: 'azure' }, 'x', 'Unsupported Location type: azure'],
    [{ ...S3, endpoint: 'http://a b' }, 'x', 'endpoint of the Profile'],
    [S3, 'b/', 'expected one below the bucket'],
  ])('refuses %j with %s', (location, path, why) => {
    expect(() => dataLocation(profile(location), READ).repository(path)).toThrow(why);
  });
});

describe('dataProgram', () => {
  it('is valid for a shell, with keys in variables alone', () => {
    const location = dataLocation(profile(S3), READ);
    const repository = location.repository('x');
    const steps = [
      { verb: 'backup', repository, path: "/it's", tag: 't' },
      { verb: 'restore', repository, backup: { tag: 't' }, target: '/', path: '' },
      { verb: 'forget', repository, backup: { id: 'i' }, isReclaimed: true },
      { verb: 'measure', repository, id: 'i', mode: 'm' },
      { verb: 'check', repository },
    ] as const;
    const text = dataProgram({ job: { id: 'j', attempt: 2 }, mover: 'kopia', location, steps });
    expect(spawnSync('sh', ['-n'], { input: text, encoding: 'utf8' }).stderr).toBe('');
    expect(text).toContain(String.raw`backup '/it'\''s' 't'`);
    expect(text.split('\n').filter((line) => line.includes("'se'"))).toEqual([
      String.raw`export AWS_SECRET_ACCESS_KEY='se'\''cret'`,
    ]);
  });

  it('quotes anything as one word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!text.includes('\0') && text.isWellFormed());
        const { stdout } = spawnSync('sh', ['-c', `printf %s ${quoted(text)}`], { encoding: 'utf8' });
        expect(stdout).toBe(text);
      }),
      { numRuns: 30 },
    );
  });
});

describe('DataOutput', () => {
  it('reads a backup of kopia', () => {
    const output = read(
      '#headway: mover kopia',
      ' / 1 hashing, 118 hashed (546.9 MB), 0 cached (0 B), uploaded 0 B, estimated 4.5 GB (12.1%) 35s left',
    );
    expect(copyStats([output.progress], 'up')).toEqual({
      ...{ percent: 1215, sizeUploadedB: 546_900_000, estimatedUploadSizeB: 4_500_000_000, estimatedTimeSeconds: 35 },
    });
    output.push('{"id":"abc","rootEntry":{"summ":{"size":20000000,"files":2}}}');
    output.push('#headway: stored 1024');
    expect(output.backup).toEqual({ id: 'abc', files: 2, bytes: 20_000_000, storedBytes: 1024 });
  });

  it('reads a backup of restic, with the id as short as Kanister has it', () => {
    const output = read(
      '{"message_type":"status","percent_done":0.5,"total_files":1,"total_bytes":200,"bytes_done":100}',
      '{"message_type":"summary","total_files_processed":1,"total_bytes_processed":200,"data_added_packed":50,"snapshot_id":"c7d6d9a8f53f"}',
    );
    expect(output.backup).toEqual({ id: 'c7d6d9a8', files: 1, bytes: 200, storedBytes: 50 });
    expect(copyStats([output.progress], 'up').percent).toBe(10_000);
  });

  it('prefers the size of the backup to what a restore has found so far', () => {
    const output = read(
      '#headway: total 2000000000',
      'Processed 5 (1 GB) of 5 (1.2 GB) 291.1 MB/s (75.2%) remaining 1s.',
    );
    expect(copyStats([output.progress], 'down')).toMatchObject({
      ...{ percent: 5000, sizeDownloadedB: 1_000_000_000, estimatedDownloadSizeB: 2_000_000_000 },
    });
  });

  it('has restored everything when it ended well, though kopia rounds', () => {
    const output = read(
      '#headway: total 1024000005',
      'Processed 3 (1 GB) of 3 (1 GB) 291.1 MB/s (100.0%) remaining 0s.',
    );
    expect(copyStats([output.progress], 'down')).toMatchObject({ sizeDownloadedB: 1_000_000_000 });
    output.complete();
    expect(copyStats([output.progress], 'down')).toMatchObject({ percent: 10_000, sizeDownloadedB: 1_024_000_005 });
  });

  it('says why a program failed', () => {
    const output = read('some words', 'Fatal: wrong password', '#headway: error the password is wrong');
    expect(output.problem(1)).toBe('the password is wrong\nsome words\nFatal: wrong password');
    expect(read('x').problem(7)).toBe('exit code 7\nx');
  });

  it('knows files that vanished from files that cannot be read', () => {
    const gone = ' ! Error when processing "a": open a: no such file or directory';
    expect(read(gone).hasOnlyVanished).toBe(true);
    expect(read(gone, ' ! Error when processing "b": open b: permission denied').hasOnlyVanished).toBe(false);
  });

  it.each([
    ['total prune:          16 blobs / 19.076 MiB', 20_002_636],
    ['will delete 1 packs and rewrite 2 packs, this frees 1.000 KiB', 1024],
    ['#headway: freed 12', 12],
  ])('counts what was freed: %s', (line, bytes) => {
    expect(read(line).freedBytes).toBe(bytes);
  });

  it('stands anything', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string(),
            fc.json(),
            fc.string().map((text) => `#headway: ${text}`),
          ),
        ),
        (lines) => {
          const stats = copyStats([read(...lines).progress], 'up');
          expect(stats.percent).toBeGreaterThanOrEqual(0);
          expect(stats.percent).toBeLessThanOrEqual(10_000);
        },
      ),
    );
  });
});

describe('copyStats', () => {
  it('adds copies up, and has no percent while one of them has no total', () => {
    const one = { bytesDone: 10, totalBytes: 40 };
    expect(copyStats([one, { bytesDone: 10, totalBytes: 40 }], 'up').percent).toBe(2500);
    expect(copyStats([one, undefined], 'up')).toEqual({ percent: 0, sizeUploadedB: 10 });
    expect(copyStats([undefined], 'up')).toEqual({ percent: 0 });
  });
});

describe('backup info', () => {
  it('is written and read as upstream has it', () => {
    const infos = [
      { podName: 'b', backupId: '2', backupTag: 't' },
      { podName: 'a', backupId: '1', backupTag: '' },
    ];
    const text = formatBackupInfo(infos);
    expect(text).toBe(
      '{"a":{"PodName":"a","BackupID":"1","BackupTag":""},"b":{"PodName":"b","BackupID":"2","BackupTag":"t"}}',
    );
    expect(parseBackupInfo(text)).toEqual([...infos].reverse());
  });

  it.each(['', '[]', 'null', '{"a":{}}', '{"a":null}'])('refuses %s', (text) => {
    expect(() => parseBackupInfo(text)).toThrow('backupInfo');
  });
});

it.each([
  [0, '0 B'],
  [1023, '1023 B'],
  [1024, '1.000 KiB'],
  [20_000_005, '19.073 MiB'],
  [2 ** 41, '2.000 TiB'],
])('writes %d as restic does: %s', (bytes, text) => {
  expect(resticSize(bytes)).toBe(text);
});
