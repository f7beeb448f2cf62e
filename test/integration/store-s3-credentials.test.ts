import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { exists, openStore } from '../../src/edge/store/index.ts';
import { text } from '../../src/edge/store/samples.ts';
import { bed, needsBed } from '../bed/index.ts';

const need = needsBed({ clusters: 0, s3: true });

describe.skipIf(need.missing)(need.title('a store in S3'), () => {
  it('takes keys from a file below the root, and from a program that it names where that is allowed', async () => {
    await using b = await bed({ clusters: 0, s3: true });
    const { endpoint, region, bucket, accessKey, secretKey } = b.s3!;
    const root = mkdtempSync(join(tmpdir(), 'headway-credentials-'));
    try {
      writeFileSync(join(root, 'printed'), JSON.stringify({ AccessKeyId: accessKey, SecretAccessKey: secretKey }));
      writeFileSync(
        join(root, 'credentials'),
        `[default]\naws_access_key_id=${accessKey}\naws_secret_access_key=${secretKey}\n` +
          `[printed]\ncredential_process=cat ${join(root, 'printed')}\n`,
      );
      for (const profile of ['default', 'printed']) {
        const settings = { region, s3Url: endpoint, s3ForcePathStyle: 'true' };
        const config = { ...settings, profile, credentialsFile: 'credentials' };
        const store = await openStore(
          { provider: 'aws', bucket, prefix: profile, config },
          { log: NO_LOG, credentials: { root, plugins: ['process'] }, env: { PATH: process.env['PATH'] } },
        );
        await store.put('a', text('x'));
        expect(await exists(store, 'a')).toBe(true);
        store.close();
      }
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
