import { describe, expect, it } from 'vitest';
import { parseKando } from './command.ts';
import { readProfile } from './location.ts';

describe('the command line of kando', () => {
  it.each([
    [['output', 'path', '/a b'], { kind: 'output', key: 'path', value: '/a b' }],
    [['output', 'n', '-1'], { kind: 'output', key: 'n', value: '-1' }],
    [['output', 'empty', ''], { kind: 'output', key: 'empty', value: '' }],
    [
      ['location', 'push', '-', '--profile', '{}', '--path', 'a/b'],
      { kind: 'push', source: '-', profile: '{}', path: 'a/b' },
    ],
    [['location', '-s', 'a', 'push', 'f', '-p={}', '-o', 'x'], { kind: 'push', source: 'f', profile: '{}', path: 'a' }],
    [
      ['location', 'pull', '--profile={"a":"="}', '-sx', '--', '-'],
      { kind: 'pull', target: '-', profile: '{"a":"="}', path: 'x' },
    ],
    [['location', 'delete', '--profile', '{}', '--path', 'x'], { kind: 'delete', profile: '{}', path: 'x' }],
    [['--version'], { kind: 'version' }],
  ])('%j', (args, command) => {
    expect(parseKando(args)).toEqual(command);
  });

  it.each([[], ['--help'], ['help'], ['output', '--help'], ['location'], ['location', 'push', '-h']])(
    '%j shows help',
    (...args) => {
      expect(parseKando(args).kind).toBe('help');
    },
  );

  it.each([
    [['nonsense'], 'there is no command "nonsense"; see kando --help'],
    [['chronicle', 'push'], 'kando chronicle is not supported; push and pull with kando location'],
    [['output', 'a'], 'Command accepts 2 arguments, received 1 arguments'],
    [['output', '', 'v'], 'Key should not be empty'],
    [['output', 'not-a-key', 'v'], 'Key should contain only alphanumeric characters and underscore'],
    [['location', 'push', '-'], 'Please provide the --profile flag'],
    [['location', 'push', '-p', '{}'], 'location push accepts 1 arguments, received 0'],
    [['location', 'move', 'x', '-p', '{}'], 'there is no command "location move"; see kando location --help'],
    [['location', 'push', '-', '--nonsense', 'x'], 'there is no flag --nonsense; see kando location --help'],
    [['location', 'push', '-', '--profile'], '--profile needs a value'],
  ])('%j is refused: %s', (args, message) => {
    expect(() => parseKando(args)).toThrow(message);
  });
});

const KEYS = { Type: 'keyPair', KeyPair: { ID: 'id', Secret: 's+/=' }, Secret: null };
const profile = (location: object, credential: object = KEYS, more: object = {}): string =>
  JSON.stringify({ Location: location, Credential: credential, ...more });
const base64 = (text: string): string => Buffer.from(text).toString('base64');

describe('a Profile', () => {
  it('of S3 is a store with keys', () => {
    const location = { type: 's3Compliant', bucket: 'bk', endpoint: 'minio.local:9000/', prefix: '/pre/', region: '' };
    expect(readProfile(profile(location, KEYS, { SkipSSLVerify: true }), '/a//b/../c')).toEqual({
      store: {
        provider: 'aws',
        bucket: 'bk',
        config: {
          region: 'us-east-1',
          s3Url: 'https://minio.local:9000',
          s3ForcePathStyle: 'true',
          insecureSkipTLSVerify: 'true',
        },
        credentialsIni: '[default]\naws_access_key_id=id\naws_secret_access_key=s+/=\n',
      },
      key: 'pre/a/c',
    });
    const aws = readProfile(profile({ type: 's3Compliant', bucket: 'bk', region: 'eu-west-1' }), 'x');
    expect(aws.store.config).toEqual({ region: 'eu-west-1' });
  });

  it('may have its keys in a Secret', () => {
    const data = {
      aws_access_key_id: base64('i'),
      aws_secret_access_key: base64('s\n'),
      aws_session_token: base64('t'),
    };
    const credential = { Type: 'secret', KeyPair: null, Secret: { type: 'secrets.kanister.io/aws', data } };
    expect(readProfile(profile({ type: 's3Compliant', bucket: 'b' }, credential), 'x').store.credentialsIni).toBe(
      '[default]\naws_access_key_id=i\naws_secret_access_key=s\naws_session_token=t\n',
    );
  });

  it('of a directory is a store in it', () => {
    const location = { type: 'headway.io/fs', bucket: 'b', endpoint: '/var/backups' };
    expect(readProfile(profile(location), '/x')).toEqual({
      store: { provider: 'headway.io/fs', bucket: 'b', config: {}, root: '/var/backups' },
      key: 'x',
    });
  });

  it.each([
    ['{"Location": {"type": "s3Comp', /^failed to unmarshal profile: [^{]*$/],
    ['[]', /^failed to unmarshal profile: expected an object$/],
    [profile({ type: 'gcs', bucket: 'b' }), /^Unsupported Location type: gcs: Google/],
    [profile({ type: 'azure' }), /^Unsupported Location type: azure/],
    [profile({ type: 'kopia' }), /^Unsupported Location type: kopia/],
    [profile({}), /^Unsupported Location type: none$/],
    [profile({ type: 's3Compliant' }), /^the Profile has no bucket: expected one in location\.bucket$/],
    [profile({ type: 's3Compliant', bucket: 'b' }, { Type: 'keyPair' }), /^the Profile has no id: .*keyPair\.idField/],
    [
      profile({ type: 's3Compliant', bucket: 'b' }, { Type: 'keyPair', KeyPair: { ID: 'i' } }),
      /^the Profile has no secret: .*keyPair\.secretField/,
    ],
    [
      profile({ type: 's3Compliant', bucket: 'b' }, { Type: 'keyPair', KeyPair: { ID: 'a\nb', Secret: 'x' } }),
      /^aws_access_key_id of the Profile has more than one line$/,
    ],
    [
      profile({ type: 's3Compliant', bucket: 'b' }, { Type: 'secret', Secret: { type: 'Opaque' } }),
      /^expected a Secret of type/,
    ],
    [
      profile(
        { type: 's3Compliant', bucket: 'b' },
        { Type: 'secret', Secret: { type: 'secrets.kanister.io/aws', data: { role: base64('r') } } },
      ),
      /^roles are not supported/,
    ],
    [profile({ type: 'headway.io/fs', bucket: 'b', endpoint: 'relative' }), /needs the directory as its endpoint/],
    [
      profile({ type: 'headway.io/fs', endpoint: '/x' }),
      /^the Profile has no bucket: expected one in location\.bucket, as/,
    ],
  ])('%j is refused, without its keys in the message', (json, message) => {
    expect(() => readProfile(json, 'x')).toThrow(message);
  });

  it('keeps paths inside its prefix as Go does', () => {
    const inside = (path: string) =>
      readProfile(profile({ type: 'headway.io/fs', bucket: 'b', endpoint: '/x', prefix: 'p' }), path).key;
    expect(['a', '/a/', '', './a', 'a/../b', '../../a'].map(inside)).toEqual(['p/a', 'p/a', 'p', 'p/a', 'p/b', 'a']);
  });
});
