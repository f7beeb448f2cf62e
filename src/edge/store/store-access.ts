import { AppError } from '../../base/index.ts';
import { fsDirectory } from './fs/open-fs-store.ts';
import type { StoreDeps, StoreLocation } from './open-store.ts';
import { currentKeys } from './s3/s3-client.ts';
import { parseS3Settings } from './s3/s3-settings.ts';
import type { Keys } from './s3/keys.ts';

/** What another program needs to reach the same store by itself. */
export type StoreAccess =
  | { kind: 'directory'; directory: string }
  /** The keys may expire, and are as secret as the location's own. */
  | { kind: 's3'; keys: Keys; caCertPem?: string };

const FS = 'headway.io/fs';

/** Makes no request to the store; keys of a role are asked for. */
export async function storeAccess(location: StoreLocation, deps: StoreDeps): Promise<StoreAccess> {
  const { provider, bucket, config = {} } = location;
  if (provider === FS)
    return { kind: 'directory', directory: await fsDirectory({ root: deps.fsRoot, bucket, config }) };
  const settings = parseS3Settings(config, location.caCertPem);
  const { credentialsIni } = location;
  try {
    const keys = await currentKeys(settings, { credentialsIni, rules: deps.credentials, env: deps.env });
    return { kind: 's3', keys, ...(settings.caCert === undefined ? {} : { caCertPem: settings.caCert }) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('unauthenticated', 'read the keys of a location: the server has none of its own', {
      cause: error,
    });
  }
}
