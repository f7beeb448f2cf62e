import type { KopiaRepository } from '../mover/job.ts';

/** What decides where a repository is; from a BackupStorageLocation. */
export interface RepositoryLocation {
  provider: string;
  bucket: string;
  prefix?: string | undefined;
  config?: Readonly<Record<string, string>> | undefined;
  /** The directory of the location as the mover sees it, for a location that is one. */
  directory?: string | undefined;
}

const S3 = ['aws', 'velero.io/aws'];
const URL_PARTS = /^(https?):\/\/([^/?#\s@]+)\/?$/;
const TRUE = /^(1|t|T|true|TRUE|True)$/;

type Answer = { repository: KopiaRepository } | { problem: string };

/** The repository of a namespace's volumes in a location, where Velero has it; or why there can be none. */
export function repositoryAt(location: RepositoryLocation, volumeNamespace: string): Answer {
  const { provider, prefix = '', directory } = location;
  const below = `${prefix.replaceAll(/^\/+|\/+$/g, '')}/kopia/${volumeNamespace}/`.replace(/^\//, '');
  if (directory !== undefined) {
    return { repository: { kind: 'filesystem', path: `${directory.replace(/\/+$/, '')}/${below.slice(0, -1)}` } };
  }
  if (!S3.includes(provider)) return { problem: `kopia cannot use a location of provider ${provider}` };
  return inBucket(location, below);
}

function inBucket({ bucket, config = {} }: RepositoryLocation, prefix: string): Answer {
  const { region, s3Url: url, insecureSkipTLSVerify = '' } = config;
  if (url === undefined && region === undefined) {
    return { problem: 'kopia needs config.region or config.s3Url of the location' };
  }
  const [, scheme, host] = URL_PARTS.exec(url ?? `https://s3-${region ?? ''}.amazonaws.com`) ?? [];
  if (host === undefined) return { problem: 'kopia needs config.s3Url with a host and without a path' };
  return {
    repository: {
      kind: 's3',
      bucket,
      prefix,
      endpoint: host,
      ...(region === undefined ? {} : { region }),
      ...(scheme === 'http' ? { disableTls: true } : {}),
      ...(TRUE.test(insecureSkipTLSVerify) ? { skipTlsVerify: true } : {}),
    },
  };
}
