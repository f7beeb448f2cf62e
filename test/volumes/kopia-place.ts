import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { KopiaRepository } from '../../src/core/volumes/index.ts';
import { KopiaPlugin, type KopiaDeps, type KopiaOptions, type KopiaSecrets } from '../../src/edge/volumes/index.ts';
import { programPath } from '../bed/cache.ts';
import { partNamed } from '../bed/parts.ts';
import type { S3Facts } from '../bed/state.ts';

export const KOPIA = programPath(partNamed('kopia'));
export const PASSWORD = 'correct horse battery staple';

/** A directory for one test, with kopia repositories and volumes in it. */
export class KopiaPlace implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'headway-kopia-'));
  #uses = 0;

  directory(name: string): string {
    const path = join(this.path, name);
    mkdirSync(path, { recursive: true });
    return path;
  }

  inDirectory(name = 'repository'): KopiaRepository {
    return { kind: 'filesystem', path: join(this.path, name) };
  }

  deps(repository: KopiaRepository, secrets: Partial<KopiaSecrets> = {}): KopiaDeps {
    const scratch = this.directory(`scratch-${(this.#uses += 1)}`);
    return { program: KOPIA, repository, scratch, secrets: { password: PASSWORD, ...secrets }, env: process.env };
  }

  plugin(repository: KopiaRepository, options: KopiaOptions = {}, secrets: Partial<KopiaSecrets> = {}): KopiaPlugin {
    return new KopiaPlugin(this.deps(repository, secrets), options);
  }

  /** kopia's own command line, connected as its documentation says. */
  async kopia(repository: KopiaRepository, args: string[], secrets: Partial<KopiaSecrets> = {}): Promise<string> {
    const home = this.directory(`cli-${(this.#uses += 1)}`);
    const env = {
      PATH: process.env['PATH'],
      HOME: home,
      KOPIA_PASSWORD: secrets.password ?? PASSWORD,
      KOPIA_CHECK_FOR_UPDATES: 'false',
      AWS_ACCESS_KEY_ID: secrets.accessKeyId,
      AWS_SECRET_ACCESS_KEY: secrets.secretAccessKey,
    };
    const config = `--config-file=${join(home, 'kopia.config')}`;
    const storage =
      repository.kind === 'filesystem'
        ? ['filesystem', `--path=${repository.path}`]
        : [
            ...['s3', `--bucket=${repository.bucket}`, `--prefix=${repository.prefix}`, '--disable-tls'],
            ...[`--endpoint=${repository.endpoint}`, `--region=${repository.region ?? ''}`],
          ];
    const run = promisify(execFile);
    const limits = { env, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 };
    await run(KOPIA, [config, 'repository', 'connect', ...storage, '--no-check-for-updates'], limits);
    return (await run(KOPIA, [config, '--no-auto-maintenance', ...args], limits)).stdout;
  }

  async snapshots(repository: KopiaRepository, secrets: Partial<KopiaSecrets> = {}): Promise<{ id: string }[]> {
    const listing = await this.kopia(repository, ['snapshot', 'list', '--all', '--incomplete', '--json'], secrets);
    return JSON.parse(listing) as { id: string }[];
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

export function inS3(
  s3: S3Facts,
  volumeNamespace: string,
): { repository: KopiaRepository; secrets: Partial<KopiaSecrets> } {
  return {
    repository: {
      kind: 's3',
      bucket: s3.bucket,
      prefix: `kopia/${volumeNamespace}/`,
      endpoint: new URL(s3.endpoint).host,
      region: s3.region,
      disableTls: true,
    },
    secrets: { accessKeyId: s3.accessKey, secretAccessKey: s3.secretKey },
  };
}
