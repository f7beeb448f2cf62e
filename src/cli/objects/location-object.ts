import { AppError, type JsonObject } from '../../base/index.ts';
import { present } from '../../core/progress/index.ts';

export interface LocationFlags {
  provider: string;
  bucket: string;
  prefix?: string;
  config?: Record<string, string>;
  credential?: Record<string, string>;
  default?: true;
  accessMode?: string;
  backupSyncPeriod?: string;
  validationFrequency?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
}

/** `caCert` is the text of the file that --cacert names. */
export function locationSpec(flags: LocationFlags, caCert: string | undefined): JsonObject {
  return present({
    provider: flags.provider,
    objectStorage: present({
      bucket: flags.bucket,
      prefix: flags.prefix,
      caCert: caCert === undefined ? undefined : Buffer.from(caCert).toString('base64'),
    }),
    config: flags.config,
    credential: credentialOf(flags.credential),
    default: flags.default,
    accessMode: flags.accessMode,
    backupSyncPeriod: flags.backupSyncPeriod,
    validationFrequency: flags.validationFrequency,
  });
}

/** `--credential SECRET=KEY`, one pair. */
function credentialOf(pairs: Record<string, string> | undefined): JsonObject | undefined {
  if (pairs === undefined) return undefined;
  const [pair, ...more] = Object.entries(pairs);
  if (pair === undefined || more.length > 0) {
    throw new AppError('usage', '--credential takes one pair SECRET=KEY: the Secret and the key inside it');
  }
  return { name: pair[0], key: pair[1] };
}
