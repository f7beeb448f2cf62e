import type { JsonObject } from '../../../src/base/index.ts';

/** What the form asks about a location. */
export interface LocationDraft {
  name: string;
  kind: 's3' | 'directory';
  bucket: string;
  prefix: string;
  region: string;
  url: string;
  accessKeyId: string;
  secretAccessKey: string;
  isDefault: boolean;
}

export const EMPTY_LOCATION: LocationDraft = {
  name: '',
  kind: 's3',
  bucket: '',
  prefix: '',
  region: '',
  url: '',
  accessKeyId: '',
  secretAccessKey: '',
  isDefault: false,
};

/** Why it cannot be created yet. */
export function locationProblem({ name, bucket, accessKeyId, secretAccessKey }: LocationDraft): string | undefined {
  if (name === '' || bucket === '') return 'A name and a bucket are needed.';
  return (accessKeyId === '') === (secretAccessKey === '') ? undefined : 'Enter both keys or neither.';
}

/** What is sent: the spec, and the keys beside it, from which the server makes a Secret. */
export function locationBody(draft: LocationDraft): { spec: JsonObject; credentials: JsonObject } {
  const { kind, bucket, prefix, region, url, accessKeyId, secretAccessKey, isDefault } = draft;
  const isS3 = kind === 's3';
  const config = {
    ...(region !== '' && { region }),
    // Stores other than AWS rarely have a host name for each bucket.
    ...(url !== '' && { s3Url: url, s3ForcePathStyle: 'true' }),
  };
  return {
    spec: {
      provider: isS3 ? 'aws' : 'headway.io/fs',
      objectStorage: { bucket, ...(prefix !== '' && { prefix }) },
      ...(isS3 && Object.keys(config).length > 0 && { config }),
      ...(isDefault && { default: true }),
    },
    credentials: isS3 && accessKeyId !== '' ? { credentials: { accessKeyId, secretAccessKey } } : {},
  };
}
