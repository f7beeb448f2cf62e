import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { extract } from 'tar-stream';
import { parseJson, type Json, type JsonObject } from '../../src/base/index.ts';
import { openStore, type Store } from '../../src/edge/store/index.ts';
import { NO_LOG } from '../../src/base/index.ts';
import { collect } from '../collect.ts';
import type { EngineCluster } from './engine.ts';
import type { ResourceList } from '../../src/core/selection/index.ts';

/** What a backup left in the default location, read past Headway's own code. */
export class BackupFiles {
  readonly #folder: string;
  readonly #name: string;

  constructor({ bucket }: Pick<EngineCluster, 'bucket'>, name: string) {
    this.#folder = join(bucket, 'backups', name);
    this.#name = name;
  }

  names(): string[] {
    try {
      return readdirSync(this.#folder).toSorted();
    } catch {
      return [];
    }
  }

  /** As somebody left it who did not come to an end. */
  write(name: string, text: string): void {
    mkdirSync(this.#folder, { recursive: true });
    writeFileSync(join(this.#folder, name), text);
  }

  json(ending: string): Json {
    return parseJson(gunzipSync(readFileSync(join(this.#folder, `${this.#name}${ending}`))).toString()) as Json;
  }

  log(): string {
    return gunzipSync(readFileSync(join(this.#folder, `${this.#name}-logs.gz`))).toString();
  }

  metadata(): JsonObject {
    return parseJson(readFileSync(join(this.#folder, 'velero-backup.json'), 'utf8')) as JsonObject;
  }

  archivePath(): string {
    return join(this.#folder, `${this.#name}.tar.gz`);
  }

  /** Every file of the archive. */
  async archive(): Promise<Map<string, string>> {
    const tar = extract();
    tar.end(gunzipSync(readFileSync(this.archivePath())));
    const files = new Map<string, string>();
    for await (const entry of tar) {
      files.set(entry.header.name, Buffer.concat(await collect(entry as AsyncIterable<Uint8Array>)).toString());
    }
    return files;
  }

  /** Without what every namespace has by itself, as the recordings of Velero are. */
  list(): ResourceList {
    const list = this.json('-resource-list.json.gz') as ResourceList;
    const isOwn = (name: string): boolean => !/\/(kube-root-ca\.crt|default)$/.test(name);
    const entries = Object.entries(list).map(([kind, names]) => [kind, names.filter(isOwn)] as const);
    return Object.fromEntries(entries.filter(([, names]) => names.length > 0));
  }
}

/** The default location as a store. */
export async function storeOf({ directory }: EngineCluster): Promise<Store> {
  return await openStore(
    { provider: 'headway.io/fs', bucket: 'backups' },
    { log: NO_LOG, fsRoot: join(directory, 'stores') },
  );
}

export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), 'headway-backup-'));
  return {
    path,
    [Symbol.dispose]: () => {
      rmSync(path, { recursive: true, force: true });
    },
  };
}
