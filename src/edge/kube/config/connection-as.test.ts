import { expect, it } from 'vitest';
import { connectionAs } from './connection-as.ts';
import { staticCredential } from './credentials.ts';

it('takes along the server and who it must be, and nothing that says who we are', async () => {
  const connection = connectionAs(
    {
      label: 'context "prod"',
      server: 'https://prod:6443',
      namespace: 'default',
      tls: { ca: 'CA', cert: 'OURS', key: 'OURS', insecure: false, serverName: 'prod' },
      proxy: 'http://proxy:3128',
      credentials: staticCredential({ authorization: 'Bearer OURS' }),
      headers: { 'Impersonate-User': 'OURS' },
    },
    'theirs',
    'cluster prod',
  );
  const credential = await connection.credentials.current({ signal: AbortSignal.timeout(1000) });
  expect(credential.headers).toEqual({ authorization: 'Bearer theirs' });
  expect(JSON.stringify(connection)).not.toContain('OURS');
  expect(connection).toMatchObject({
    server: 'https://prod:6443',
    alias: 'cluster prod',
    tls: { ca: 'CA', insecure: false, serverName: 'prod' },
    proxy: 'http://proxy:3128',
  });
});
