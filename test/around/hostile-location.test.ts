import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BackupStorageLocation, EVENT, SECRET } from '../../src/api/index.ts';
import { objectsAt, stringifyJson, textAt, type JsonObject, type Log, type LogFields } from '../../src/base/index.ts';
import { createLocationController } from '../../src/control/controllers/location/index.ts';
import { createSyncController } from '../../src/control/controllers/sync/index.ts';
import type { KubeObject } from '../../src/edge/kube/index.ts';
import { LIST_LIMITS } from '../../src/edge/store/list-budget.ts';
import { NAMESPACE, startCluster, startEngine, type Engine, type EngineCluster } from '../engine/engine.ts';
import { eventually } from '../eventually.ts';
import { ScriptedServer, text, type Answer } from '../scripted-server/index.ts';
import { Workbench } from './workbench.ts';

const KEYS = '[default]\naws_access_key_id=AKIA\naws_secret_access_key=hunter2\n';
const PAGES = { ...LIST_LIMITS, pages: 20 };

let cluster: EngineCluster;
let engine: Engine;
let server: ScriptedServer;
let marker: string;
let root: string;
const logged: string[] = [];
const keep = (message: string, fields?: LogFields): void => void logged.push(`${message} ${JSON.stringify(fields)}`);
const log: Log = { debug: keep, info: keep, warn: keep, error: keep, child: () => log };

beforeAll(async () => {
  cluster = await startCluster();
  marker = join(cluster.directory, 'marker');
  root = join(cluster.directory, 'credentials');
  mkdirSync(root);
  server = await ScriptedServer.start();
  engine = await startEngine(cluster, {
    controllers: (deps, caches) => [createLocationController({}, deps, caches), createSyncController({}, deps, caches)],
    limits: { list: PAGES },
    // The whole directory is the root, and the pocket cluster in it the state.
    credentials: { root: cluster.directory, state: join(cluster.directory, 'pocket') },
    log,
  });
}, 60_000);

afterAll(async () => {
  await engine[Symbol.asyncDispose]();
  await server.stop();
  await cluster[Symbol.asyncDispose]();
});

beforeEach(() => {
  logged.length = 0;
  server.requests.length = 0;
});

const target = { type: BackupStorageLocation, namespace: NAMESPACE };

interface Location {
  ini?: string;
  config?: JsonObject;
  hasSecret?: boolean;
}

/** As somebody does who may create locations and Secrets, and nothing else. */
async function create({ ini = KEYS, config = {}, hasSecret = true }: Location): Promise<string> {
  const name = Workbench.newName('hostile');
  const metadata = { name, namespace: NAMESPACE };
  const data = { cloud: Buffer.from(ini).toString('base64') };
  await cluster.kube.create(
    { type: SECRET, namespace: NAMESPACE },
    { apiVersion: 'v1', kind: 'Secret', metadata, data },
  );
  await cluster.kube.create(target, {
    apiVersion: 'velero.io/v1',
    kind: 'BackupStorageLocation',
    metadata,
    spec: {
      provider: 'aws',
      objectStorage: { bucket: 'b' },
      ...(hasSecret ? { credential: { name, key: 'cloud' } } : {}),
      backupSyncPeriod: '1s',
      config: { s3Url: server.url, s3ForcePathStyle: 'true', region: 'r', ...config },
    },
  });
  return name;
}

/** The location when it was looked at, with everything that was told about it anywhere. */
async function told(name: string, phase: string): Promise<{ object: KubeObject; message: string; all: string }> {
  const object = await eventually(
    async () => {
      const found = await cluster.kube.get({ ...target, name });
      expect(textAt(found, 'status', 'phase')).toBe(phase);
      return found;
    },
    { withinMs: 15_000 },
  );
  const events = await eventually(async () => {
    const found: KubeObject[] = [];
    for await (const page of cluster.kube.list({ type: EVENT, namespace: NAMESPACE })) {
      for (const one of page.items) if (textAt(one, 'involvedObject', 'name') === name) found.push(one);
    }
    expect(found.length).toBeGreaterThan(0);
    return found;
  });
  const all = stringifyJson(object['status'] ?? {}) + stringifyJson(events) + logged.join('\n');
  return { object, message: textAt(object, 'status', 'message') ?? '', all };
}

const conditionOf = (object: KubeObject, type: string): JsonObject | undefined =>
  objectsAt(object, 'status', 'conditions').find((one) => one['type'] === type);

describe('a location runs no program', () => {
  it.each([
    '[default]\ncredential_process=PROGRAM',
    '[default]\nrole_arn=r\nsource_profile=x\n[x]\ncredential_process=\ncredential_process=PROGRAM',
    '[default]\nrole_arn=r\nsource_profile=x\n[x]\nregion=\n credential_process=PROGRAM',
  ])('with the Secret %j', async (ini) => {
    const name = await create({
      ini: ini.replace('PROGRAM', `touch ${marker}`),
      config: { enableSharedConfig: 'true' },
    });
    const { message, all } = await told(name, 'Unavailable');
    expect(message).toMatch(/^read credentials: /);
    expect(all).not.toContain('touch');
    expect(existsSync(marker)).toBe(false);
    expect(server.requests).toEqual([]);
  });

  it('with a credentialsFile', async () => {
    writeFileSync(join(root, 'process'), `[default]\ncredential_process=touch ${marker}\n`);
    const name = await create({
      config: { credentialsFile: join(root, 'process'), enableSharedConfig: 'true' },
      hasSecret: false,
    });
    const { message } = await told(name, 'Unavailable');
    expect(message).toContain('the server was not started with --allow-credential-plugins process');
    expect(existsSync(marker)).toBe(false);
  });
});

it('reads none of the files of Headway, nor of the machine, and does not tell which there are', async () => {
  const seal = join(cluster.directory, 'pocket', 'seal');
  writeFileSync(seal, Buffer.alloc(32, 's'));
  const messages: string[] = [];
  for (const file of [seal, join(cluster.directory, 'pocket', 'none'), '/etc/hostname', '/etc/no-such-file']) {
    const { message, all } = await told(await create({ config: { customerKeyEncryptionFile: file } }), 'Unavailable');
    messages.push(message.replace(JSON.stringify(file), 'FILE'));
    expect(all).not.toContain(readFileSync(seal).toString('base64'));
  }
  expect(new Set(messages).size).toBe(1);
  expect(messages[0]).toContain('read customerKeyEncryptionFile FILE: expected a file below');
  expect(server.requests).toEqual([]);
});

it.each(['ftp://user:hunter2@host', 'user:hunter2@host:9000', 'https://user:hunter2@host'])(
  'a password in its URL is told nowhere: %s',
  async (s3Url) => {
    for (const key of ['s3Url', 'publicUrl']) {
      const { message, all } = await told(await create({ config: { [key]: s3Url } }), 'Unavailable');
      expect(message).toContain(`${key}: `);
      expect(all).not.toContain('hunter2');
    }
  },
);

it('what its store says is short and clean wherever it is told', async () => {
  const said = `\u001b[2J\u202e${'&#27;x\n'.repeat(3000)}`;
  const long = `\u001b]0;owned\u0007${'x'.repeat(2 * 1024 ** 2)}`;
  for (const words of [said, long]) {
    server.always('*', text(`<Error><Code>AccessDenied</Code><Message>${words}</Message></Error>`, { status: 403 }));
    const { message, all } = await told(await create({}), 'Unavailable');
    expect(message).toMatch(/^list folders in bucket "b" at http:\/\/127\.0\.0\.1:\d+: /);
    expect(message.length).toBeLessThan(2000);
    // JSON writes an escape character as \u001b, and what was made harmless as \\x1b.
    expect(all).not.toMatch(/\u202e|(?<!\\)\\u001b/);
    expect(all.length).toBeLessThan(20_000);
  }
});

describe('a store that lists its backups without end', () => {
  const folders = (names: readonly string[], token?: string): string => {
    const more =
      token === undefined
        ? ''
        : `<IsTruncated>true</IsTruncated><NextContinuationToken>${token}</NextContinuationToken>`;
    return `<R>${more}${names.map((name) => `<CommonPrefixes><Prefix>${name}/</Prefix></CommonPrefixes>`).join('')}</R>`;
  };
  /** The top is as it should be; below `backups/` there is always more. */
  const endless: Answer = (exchange) => {
    const { query } = exchange.request;
    const isTop = (query.get('prefix') ?? '') === '';
    const next = Number((query.get('continuation-token') ?? 't0').slice(1)) + 1;
    return text(isTop ? folders(['backups']) : folders([`backups/b-${next}`], `t${next}`))(exchange);
  };
  const passes = (): number =>
    server.requests.filter(({ query }) => query.get('prefix') === 'backups/' && !query.has('continuation-token'))
      .length;

  it('is told in a condition, and asked again only when it changes', async () => {
    server.always('*', endless);
    const name = await create({});
    const failed = async (): Promise<void> => {
      const condition = conditionOf((await told(name, 'Available')).object, 'Synced');
      expect(condition).toMatchObject({ status: 'False', reason: 'TooLarge' });
      expect(condition?.['message']).toContain('the listing does not end, expected at most 20 pages');
    };
    await eventually(failed, { withinMs: 15_000 });
    expect(server.requests.length).toBeLessThan(30);
    expect(passes()).toBe(1);
    const patch = { kind: 'merge', body: { spec: { config: { s3ForcePathStyle: '1' } } } } as const;
    await cluster.kube.patch({ ...target, name }, patch);
    await eventually(() => {
      expect(passes()).toBe(2);
    });
    await cluster.kube.delete({ ...target, name });
  });

  it.each([
    ['is deleted', (name: string) => cluster.kube.delete({ ...target, name })],
    [
      'says something else',
      (name: string) =>
        cluster.kube.patch({ ...target, name }, { kind: 'merge', body: { spec: { config: { region: 'other' } } } }),
    ],
  ])('is left alone when its location %s', async (_, change) => {
    const asked = Promise.withResolvers<undefined>();
    const givenUp = Promise.withResolvers<undefined>();
    server.always('*', (exchange) => {
      if (exchange.request.query.get('continuation-token') !== 't5') return endless(exchange);
      // No answer: the pass waits for this page.
      exchange.response.once('close', () => {
        givenUp.resolve(undefined);
      });
      asked.resolve(undefined);
    });
    const name = await create({});
    await asked.promise;
    const changedAt = performance.now();
    await change(name);
    await givenUp.promise;
    // Much sooner than the minute in which a page must come.
    expect(performance.now() - changedAt).toBeLessThan(10_000);
    await cluster.kube.delete({ ...target, name }).catch(() => undefined);
  });
});
