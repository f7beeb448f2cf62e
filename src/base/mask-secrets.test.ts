import { describe, expect, it } from 'vitest';
import { maskSecrets } from './mask-secrets.ts';

describe('maskSecrets', () => {
  it.each([
    ['mysqldump --password=hunter2 shop', 'mysqldump --password=*** shop'],
    ['mysqldump --password hunter2 shop', 'mysqldump --password *** shop'],
    ['mysqldump -u root -phunter2 shop', 'mysqldump -u root -p*** shop'],
    ["sh -c mysql -p'two words' -e x", 'sh -c mysql -p*** -e x'],
    ['mongodump -u a -p hunter2', 'mongodump -u a -p ***'],
    ['redis-cli -a hunter2 SAVE', 'redis-cli -a *** SAVE'],
    ['curl -u admin:hunter2 http://db/x', 'curl -u *** http://db/x'],
    ['ldapsearch -w hunter2 -b dc=x', 'ldapsearch -w *** -b dc=x'],
    ['PGPASSWORD=hunter2 pg_dump shop', 'PGPASSWORD=*** pg_dump shop'],
    ['env MYSQL_PWD="two words" x', 'env MYSQL_PWD=*** x'],
    ['AWS_SECRET_ACCESS_KEY=ab/cd+ef== aws s3 ls', 'AWS_SECRET_ACCESS_KEY=*** aws s3 ls'],
    // Only the owner knows which of these characters belong to the password.
    ['DB_PASS=a&b;c,d)"e x', 'DB_PASS=*** x'],
    ['vault write x api_key=abc apiKey=def', 'vault write x api_key=*** apiKey=***'],
    ['{"user": "a", "password": "hun\\"ter2", "n": 1}', '{"user": "a", "password": ***, "n": 1}'],
    ['{\\"token\\":\\"abc\\"}', '{\\"token\\":***}'],
    ['client-secret: abc', 'client-secret: ***'],
    ['curl -H "Authorization: Bearer abc.def"', 'curl -H "Authorization: Bearer ***'],
    ["curl -H 'Authorization: Basic dXNlcjpwYXNz' x", "curl -H 'Authorization: Basic *** x"],
    ['sent Bearer abcdefghijklmnop1234', 'sent Bearer ***'],
    ['X-Auth-Token: abc', 'X-Auth-Token: ***'],
    ['psql postgres://root:hunter2@db/shop', 'psql postgres://***@db/shop'],
    ['psql postgres://root:p@ss@db/shop', 'psql postgres://***@db/shop'],
    ['GET http://s3/b?X-Amz-Signature=abc&x=1', 'GET http://s3/b?X-Amz-Signature=***'],
    ['found eyJhbGciOi.eyJzdWIi.c2ln here', 'found *** here'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nrest', '***\nrest'],
    // Cut off because the output was too long.
    ['-----BEGIN PRIVATE KEY-----\nMIIE', '***'],
    ['password="hunter', 'password=***'],
  ])('%s', (text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    'fsfreeze --freeze /var/lib/mysql-data',
    'find /data -print0 -path x -perm 600',
    'mkdir -p /backup/shop',
    'pg_dump --host db --port 5432 shop',
    'mysqldump --defaults-file=/etc/my.cnf --all-databases',
    'restic --password-file /run/secrets/restic backup',
    'restic --password-file=/run/secrets/restic backup',
    'kubectl get secrets; all tests passed: 3',
    'the author=me of basic authentication',
    'http://db.shop.svc:8080/a?mail=x@y.z',
    'mysqldump -u root -p --host db',
  ])('leaves alone: %s', (text) => {
    // Masking these would lose only a word, but they are what people read most.
    expect(maskSecrets(text)).toBe(text);
  });

  it('cuts what nobody reads', () => {
    expect(maskSecrets('x'.repeat(8192))).toHaveLength(8192);
    expect(maskSecrets('x'.repeat(9000))).toBe(`${'x'.repeat(8192)}…`);
  });
});
