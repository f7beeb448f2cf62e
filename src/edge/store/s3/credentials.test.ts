import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ScriptedServer, text } from '../../../../test/scripted-server/index.ts';
import { type AppError, NO_LOG } from '../../../base/index.ts';
import { type CredentialRules, openStore, type StoreLocation } from '../index.ts';

const KEYS = '[default]\naws_access_key_id = AKIAKEYS\naws_secret_access_key = hunter2\n';

let home: string;
let root: string;
let marker: string;
let server: ScriptedServer;
beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'headway-credentials-'));
  root = join(home, 'root');
  marker = join(home, 'marker');
  mkdirSync(root);
  server = await ScriptedServer.start();
  server.always('*', text('<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>'));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server.stop();
  rmSync(home, { recursive: true });
});

const put = (path: string, content: string | Uint8Array): string => {
  writeFileSync(join(home, path), content);
  return join(home, path);
};

interface Used {
  config?: Record<string, string>;
  ini?: string | undefined;
  rules?: CredentialRules | undefined;
  env?: Record<string, string>;
}

/** Opens a location and makes one request: returns the access key that signed it, or the error. */
async function use({ config = {}, ini, rules, env = {} }: Used): Promise<string> {
  const settings = { s3Url: server.url, s3ForcePathStyle: 'true', region: 'eu-test-1', ...config };
  const location: StoreLocation = { provider: 'aws', bucket: 'b', config: settings, credentialsIni: ini };
  try {
    const store = await openStore(location, {
      log: NO_LOG,
      credentials: rules,
      env: { PATH: '/usr/bin:/bin', ...env },
    });
    try {
      for await (const _ of store.list('p/')) break;
    } finally {
      store.close();
    }
  } catch (error) {
    return `${(error as AppError).code}: ${(error as AppError).message}`;
  }
  return signer(server.requests.at(-1)?.headers.authorization);
}

const signer = (authorization = ''): string => /Credential=([^/]+)/.exec(authorization)?.[1] ?? 'nobody';

describe('credentials of a location', () => {
  it('are the keys of its Secret', async () => {
    expect(await use({ ini: KEYS })).toBe('AKIAKEYS');
    expect(await use({ ini: KEYS.replace('default', 'other'), config: { profile: 'other' } })).toBe('AKIAKEYS');
  });

  it('are the own ones of the server where there are none, whatever profile the location names', async () => {
    put('aws', `[default]\ncredential_process = touch ${marker}\n[evil]\ncredential_process = touch ${marker}\n`);
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASERVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'own');
    vi.stubEnv('AWS_SHARED_CREDENTIALS_FILE', join(home, 'aws'));
    vi.stubEnv('AWS_CONFIG_FILE', join(home, 'aws'));
    expect(await use({ config: { profile: 'evil', enableSharedConfig: 'true' } })).toBe('AKIASERVER');
    expect(existsSync(marker)).toBe(false);
  });

  // Texts that our check and the SDK once read differently, and plain ones.
  it.each([
    '[default]\ncredential_process = PROGRAM',
    '[default]\naws_access_key_id=a\naws_secret_access_key=b\nrole_arn=r\nsource_profile=x\n[x]\ncredential_process = PROGRAM',
    '[default]\nrole_arn=r\nsource_profile=x\n[x]\ncredential_process=\ncredential_process = PROGRAM',
    '[default]\nrole_arn=r\nsource_profile=x\n[x]\ns3 =\n credential_process = PROGRAM',
    '[default]\nrole_arn=r\nrole_arn=\n credential_process = PROGRAM',
    '[default]\nrole_arn=r\nsource_profile=default\n[default]\ncredential_process = PROGRAM',
    '[profile default]\nrole_arn=r\nsource_profile=x\n[profile x]\nregion=\n  credential_process = PROGRAM',
  ])('in a Secret run no program: %j', async (ini) => {
    const program = ini.replace('PROGRAM', `touch ${marker}`);
    const allowed = { plugins: ['process', 'role'] as const };
    for (const rules of [undefined, allowed]) {
      const refused = await use({ ini: program, rules, config: { enableSharedConfig: 'true' } });
      expect(refused).toMatch(
        /^invalidConfig: read credentials: (line \d+: expected|\w+ in profile "\w+" is not allowed)/,
      );
    }
    expect(existsSync(marker)).toBe(false);
    expect(server.requests).toEqual([]);
  });

  it('in a file run a program only where the administrator allowed it', async () => {
    const printer = put(
      'printer.sh',
      `#!/bin/sh\ntouch ${marker}\necho '{"Version":1,"AccessKeyId":"AKIAPROG","SecretAccessKey":"s"}'\n`,
    );
    execFileSync('chmod', ['755', printer]);
    put('root/credentials', `[default]\ncredential_process = "${printer}" 'one word' $(touch ${marker}2)\n`);
    const config = { credentialsFile: 'credentials', enableSharedConfig: 'true' };
    const flag = 'the server was not started with --allow-credential-plugins process';
    expect(await use({ config, rules: { root } })).toContain(flag);
    expect(await use({ config, rules: { root, plugins: ['role'] } })).toContain(flag);
    expect(existsSync(marker)).toBe(false);
    expect(await use({ config, rules: { root, plugins: ['process'] } })).toBe('AKIAPROG');
    expect(existsSync(marker)).toBe(true);
    expect(existsSync(`${marker}2`)).toBe(false);
  });

  it('of a program that fails or prints something else are told without what it printed', async () => {
    const config = { credentialsFile: 'credentials' };
    const rules = { root, plugins: ['process'] as const };
    put('root/credentials', '[default]\ncredential_process = sh -c "echo hunter2; exit 3"\n');
    expect(await use({ config, rules })).toBe(
      'unauthenticated: run the credential_process of the credentialsFile: it failed (3)',
    );
    put('root/credentials', '[default]\ncredential_process = echo hunter2\n');
    expect(await use({ config, rules })).toMatch(/^unauthenticated: .* expected JSON with AccessKeyId/);
    put('root/credentials', '[default]\ncredential_process = /no/such/program hunter2\n');
    expect(await use({ config, rules })).toMatch(/^unauthenticated: .* it failed \(ENOENT\)$/);
  });

  it.each(['sso_start_url=x', 'sso_session=x', 'login_session=x', 'mfa_serial=x'])(
    'that need a person are refused for good: %s',
    async (setting) => {
      const rules = { root, plugins: ['process', 'role'] as const };
      expect(await use({ ini: `${KEYS}${setting}\n`, rules })).toMatch(/^invalidConfig: .* so this is not supported$/);
    },
  );
});

describe('a role', () => {
  const answer = [
    '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIAROLE</AccessKeyId>',
    '<SecretAccessKey>secret</SecretAccessKey><SessionToken>token+/=</SessionToken>',
    '<Expiration>2099-01-01T00:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>',
  ].join('');
  const role = '[default]\nrole_arn = arn:aws:iam::123456789012:role/backup\n';
  const config = { enableSharedConfig: 'true' };
  const rules = { plugins: ['role'] as const };
  const env = () => ({ AWS_ENDPOINT_URL_STS: server.url });

  it('is refused unless the administrator allowed it', async () => {
    const ini = `${role}source_profile = source\n${KEYS.replace('default', 'source')}`;
    expect(await use({ ini, config, rules: { plugins: ['process'] } })).toContain(
      'role_arn in profile "default" is not allowed: the server was not started with --allow-credential-plugins role',
    );
    expect(server.requests).toEqual([]);
  });

  it('is asked for with the keys of its source, and only with enableSharedConfig', async () => {
    const ini = `${role}source_profile = source\nexternal_id = a&b=c\n${KEYS.replace('default', 'source')}`;
    expect(await use({ ini, rules, env: env() })).toContain('for role_arn, source_profile set enableSharedConfig');
    server.on('POST /', text(answer));
    expect(await use({ ini, config, rules, env: env() })).toBe('ASIAROLE');
    const [asked, listed] = server.requests;
    expect(signer(asked?.headers.authorization)).toBe('AKIAKEYS');
    expect(asked?.headers.authorization).toContain('/eu-test-1/sts/aws4_request');
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      Action: 'AssumeRole',
      Version: '2011-06-15',
      RoleArn: 'arn:aws:iam::123456789012:role/backup',
      RoleSessionName: 'headway',
      DurationSeconds: '3600',
      ExternalId: 'a&b=c',
    });
    expect(listed?.headers['x-amz-security-token']).toBe('token+/=');
  });

  it('is asked for with the own keys of the server', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIASERVER');
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'own');
    server.on('POST /', text(answer));
    const ini = `${role}credential_source = Environment\n`;
    expect(await use({ ini, config, rules, env: env() })).toBe('ASIAROLE');
    expect(signer(server.requests[0]?.headers.authorization)).toBe('AKIASERVER');
  });

  it('is asked for with a token below the root, which is not signed', async () => {
    put('root/token', 'jwt\n');
    const ini = `${role}web_identity_token_file = token\n`;
    server.on('POST /', text(answer));
    expect(await use({ ini, config, rules: { ...rules, root }, env: env() })).toBe('ASIAROLE');
    const [asked] = server.requests;
    expect(asked?.headers.authorization).toBeUndefined();
    expect(new URLSearchParams(asked?.body).get('WebIdentityToken')).toBe('jwt');
    expect(await use({ ini: ini.replace('= token', '= /etc/hostname'), config, rules: { ...rules, root } })).toContain(
      'read web_identity_token_file "/etc/hostname": expected a file below',
    );
  });

  it.each([
    [
      text('<ErrorResponse><Error><Code>AccessDenied</Code><Message>no\nway</Message></Error></ErrorResponse>', {
        status: 403,
      }),
      'unauthenticated: ask AWS for the keys of the role in the credentials: AccessDenied (HTTP 403): no\\nway',
    ],
    [
      text('x', { status: 500 }),
      'serverError: ask AWS for the keys of the role in the credentials: an error (HTTP 500): no message',
    ],
    [text('<a/>'), 'badAnswer: ask AWS for the keys of the role in the credentials: expected keys and when they end'],
    [
      text('x'.repeat(100_000)),
      'badAnswer: ask AWS for the keys of the role in the credentials: more than 65536 bytes',
    ],
  ])('that is refused says why', async (reply, message) => {
    const ini = `${role}source_profile = source\n${KEYS.replace('default', 'source')}`;
    server.always('POST /', reply);
    expect(await use({ ini, config, rules, env: env() })).toContain(message);
  });

  it.each([
    [role, 'role_arn: expected one of source_profile, web_identity_token_file and credential_source with it, got 0'],
    [`${role}source_profile = a\ncredential_source = Environment\n`, 'credential_source with it, got 2'],
    [`${role}source_profile = a\nduration_seconds = soon\n`, 'duration_seconds: expected a whole number'],
    [`${role}source_profile = a\n`, 'expected profile "a", found default'],
    [`${role}source_profile = a\n[a]\nregion = x\n`, 'profile "a" needs aws_access_key_id'],
  ])('that is written wrongly is refused: %j', async (ini, message) => {
    expect(await use({ ini, config, rules, env: env() })).toContain(message);
    expect(server.requests).toEqual([]);
  });
});

describe('a file that a location names', () => {
  it.each(['credentialsFile', 'customerKeyEncryptionFile'])(
    'is not read without --credentials-root: %s',
    async (key) => {
      const file = put('root/file', KEYS);
      expect(await use({ config: { [key]: file }, ini: key === 'credentialsFile' ? undefined : KEYS })).toBe(
        `invalidConfig: read ${key} ${JSON.stringify(file)}: the server reads files that a location ` +
          'names only when it is started with --credentials-root',
      );
    },
  );

  it('is read below it, over links that stay below it, by either way of naming it', async () => {
    put('root/credentials', KEYS);
    symlinkSync('credentials', join(root, 'link'));
    for (const path of ['credentials', './credentials', 'link', join(root, 'credentials')]) {
      expect(await use({ config: { credentialsFile: path }, rules: { root } })).toBe('AKIAKEYS');
    }
    put('root/key', Buffer.alloc(32, 7));
    expect(await use({ config: { customerKeyEncryptionFile: 'key' }, ini: KEYS, rules: { root } })).toBe('AKIAKEYS');
    put('root/key', Buffer.alloc(31, 7));
    expect(await use({ config: { customerKeyEncryptionFile: 'key' }, ini: KEYS, rules: { root } })).toContain(
      'read customerKeyEncryptionFile: expected 32 bytes, got 31',
    );
  });

  it('is not read elsewhere, and nobody learns whether it is there', async () => {
    const state = join(root, 'state');
    mkdirSync(state);
    mkdirSync(`${root}-beside`);
    put('seal', Buffer.alloc(32, 1));
    put('root-beside/seal', Buffer.alloc(32, 1));
    put('root/state/seal', Buffer.alloc(32, 1));
    put('root/huge', '');
    truncateSync(join(root, 'huge'), 1024 ** 3);
    symlinkSync(join(home, 'seal'), join(root, 'out'));
    symlinkSync('..', join(root, 'up'));
    symlinkSync(join(home, 'missing'), join(root, 'dangling'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(root, 'pipe')]);
    const paths = [
      '../seal',
      '../missing',
      join(home, 'seal'),
      join(home, 'missing'),
      '/',
      '.',
      '..',
      '../root-beside/seal',
    ];
    const inside = [
      'out',
      'up/seal',
      'up/missing',
      'dangling',
      'state/seal',
      'state/missing',
      'state',
      'pipe',
      'huge',
      'a\0b',
      '/proc/self/environ',
    ];
    for (const path of [...paths, ...inside]) {
      for (const [key, bytes] of [
        ['customerKeyEncryptionFile', 32],
        ['credentialsFile', 262144],
      ] as const) {
        const ini = key === 'credentialsFile' ? undefined : KEYS;
        const said = await use({ config: { [key]: path }, ini, rules: { root, state } });
        const expected = `a file below the folder of --credentials-root that the server can read, of at most ${bytes} bytes`;
        expect(said.replace(/"[^"]*"/, 'PATH')).toBe(`invalidConfig: read ${key} PATH: expected ${expected}`);
      }
    }
    expect(server.requests).toEqual([]);
  });
});
