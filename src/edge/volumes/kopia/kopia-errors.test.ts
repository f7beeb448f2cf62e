import { expect, it } from 'vitest';
import { isHopeless, kopiaError } from './kopia-errors.ts';

it.each([
  ['open repository: unable to open repository: invalid repository password', 'unauthenticated'],
  ['write /r/p/1.f.tmp: no space left on device', 'tooLarge'],
  ['unable to complete PutBlobInPath:/r/p.f despite 10 retries: mkdir /r/sca: read-only file system', 'forbidden'],
  ["This version of Kopia does not support feature 'x'.", 'unsupported'],
  ["can't handle repositories created using version 99 (min supported 1, max supported 3)", 'unsupported'],
  ['unable to open repository: repository upgrade in progress', 'conflict'],
  ['unable to read format blob: error getting kopia.repository blob: BLOB not found', 'notFound'],
  ['unable to get repository storage: found existing data in storage location', 'invalid'],
  ["can't parse format blob: invalid format blob: unexpected end of JSON input", 'invalid'],
  ['failed to get blob with ID q39e8: BLOB not found', 'invalid'],
  ['object e6 is backed by missing blob p7', 'invalid'],
  ["can't connect to storage: The specified bucket does not exist", 'notFound'],
  ['The Access Key Id you provided does not exist in our records. InvalidAccessKeyId', 'forbidden'],
  ['The request signature we calculated does not match the signature you provided.', 'forbidden'],
  ['Get "https://s3/": tls: failed to verify certificate: x509: certificate signed by unknown authority', 'untrusted'],
  ['dial tcp 127.0.0.1:9: connect: connection refused', 'unreachable'],
  ['something that nobody has seen before', 'serverError'],
])('%s is %s', (said, code) => {
  const error = kopiaError('copy the volume', ['Snapshotting a@b:c ...', said, '  ']);
  expect(error.code).toBe(code);
  // People can look up what kopia itself said.
  expect(error.message).toContain(said);
});

it('says that kopia said nothing', () => {
  expect(kopiaError('copy the volume', []).message).toBe('copy the volume: kopia failed: it said nothing');
});

it('knows when the rest of a snapshot is in vain', () => {
  expect(
    isHopeless('async write error: unable to complete PutBlobInPath:/r/p.f despite 10 retries: no space left'),
  ).toBe(true);
  expect(isHopeless(' | 1 hashing, 0 hashed (0 B), 0 cached (0 B), uploaded 0 B, estimating...')).toBe(false);
});

it('shows the cause, and neither the progress before it nor everything on the way to it', () => {
  const line = ` | 1 hashing, 0 hashed (65.5 KB), 0 cached (0 B), uploaded 0 B, estimating...async write error: ${'on the way: '.repeat(60)}no space left on device`;
  const { message } = kopiaError('copy the volume', [line]);
  expect(message).toMatch(/^copy the volume: the disk is full \(kopia: ….*no space left on device\)$/);
  expect(message).not.toContain('hashing');
  expect(message.length).toBeLessThan(400);
});
