import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NO_LOG } from '../../src/base/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { startPocket, type Pocket } from '../../src/pocket/index.ts';

const CONFIG_MAPS = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true };

async function expectError(doing: Promise<unknown>, code: string, part: string): Promise<void> {
  const error = await doing.catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code });
  expect((error as Error).message).toContain(part);
}

describe('startPocket', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-start-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });
  const start = (port = 0): Promise<Pocket> => startPocket({ dir, name: 'one', port, clock: systemClock, log: NO_LOG });

  it('writes a kubeconfig that only its owner can read', async () => {
    const pocket = await start();
    const text = readFileSync(pocket.kubeconfig, 'utf8');
    expect(text).toContain('current-context: pocket-one');
    expect(text).toContain(pocket.url);
    expect(statSync(pocket.kubeconfig).mode & 0o777).toBe(0o600);
    expect(statSync(join(dir, 'credentials.json')).mode & 0o777).toBe(0o600);
    await pocket.close();
  });

  it('keeps objects and credentials from one start to the next', async () => {
    const first = await start();
    await first.client.create(CONFIG_MAPS, { metadata: { name: 'kept', namespace: 'default' }, data: { a: '1' } });
    await first.close();
    const second = await start();
    const kept = second.client.get(CONFIG_MAPS, 'default', 'kept');
    expect(kept?.['data']).toEqual({ a: '1' });
    expect(second.token).toBe(first.token);
    expect(second.ca).toBe(first.ca);
    await second.close();
  });

  it('makes new credentials when the old ones are damaged', async () => {
    await (await start()).close();
    writeFileSync(join(dir, 'credentials.json'), '{"ca": "nonsense"');
    const pocket = await start();
    expect(pocket.ca).toContain('BEGIN CERTIFICATE');
    await pocket.close();
  });

  it('refuses a second start of the same directory and leaves the first alone', async () => {
    const pocket = await start();
    await expectError(start(), 'conflict', 'another process');
    const made = await pocket.client.create(CONFIG_MAPS, { metadata: { name: 'still', namespace: 'default' } });
    expect(made.metadata.name).toBe('still');
    await pocket.close();
  });

  it('says which port is taken', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    await expectError(start(port), 'conflict', String(port));
    await new Promise((resolve) => other.close(resolve));
    // Nothing of the failed start is left: the next one succeeds.
    await (await start()).close();
  });

  it('leaves a file alone that is no database', async () => {
    const path = join(dir, 'pocket.db');
    writeFileSync(path, 'not a database at all, but somebody may want it'.repeat(100));
    const before = readFileSync(path);
    await expectError(start(), 'invalidConfig', path);
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('leaves a database of another program alone', async () => {
    const path = join(dir, 'pocket.db');
    const foreign = new DatabaseSync(path);
    foreign.exec('CREATE TABLE precious (x); INSERT INTO precious VALUES (42)');
    foreign.close();
    await expectError(start(), 'invalidConfig', 'not a pocket database');
    const again = new DatabaseSync(path);
    expect(again.prepare('SELECT x FROM precious').get()).toEqual({ x: 42 });
    expect(again.prepare('SELECT count(*) AS n FROM sqlite_schema').get()).toEqual({ n: 1 });
    again.close();
  });

  it('says that a database is damaged', async () => {
    const pocket = await start();
    const big = 'x'.repeat(3000);
    await Promise.all(
      Array.from({ length: 200 }, (_, i) =>
        pocket.client.create(CONFIG_MAPS, { metadata: { name: `c${i}`, namespace: 'default' }, data: { big } }),
      ),
    );
    await pocket.close();
    const path = join(dir, 'pocket.db');
    const bytes = readFileSync(path);
    bytes.fill(0xab, 8192, bytes.length - 4096);
    writeFileSync(path, bytes);
    await expectError(start(), 'invalidConfig', 'cannot be read');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it.each([
    ['bytes of a text', Buffer.from([0xab, 0x00, 0xff, 0x22])],
    ['names in a text', Buffer.from('"vict1m"')],
  ])('finds out that %s are damaged before anything is written on top', async (_what, damage) => {
    const pocket = await start();
    await pocket.client.create(CONFIG_MAPS, { metadata: { name: 'victim', namespace: 'default' } });
    await pocket.close();
    const path = join(dir, 'pocket.db');
    const bytes = readFileSync(path);
    damage.copy(bytes, bytes.indexOf('"name":"victim"') + '"name":'.length);
    writeFileSync(path, bytes);
    await expectError(start(), 'invalidConfig', 'configmaps "default/victim" is damaged');
    expect(readFileSync(path).equals(bytes)).toBe(true);
  });

  it('says that a directory cannot be made', async () => {
    writeFileSync(join(dir, 'file'), '');
    const inside = join(dir, 'file', 'pocket');
    const starting = startPocket({ dir: inside, name: 'x', port: 0, clock: systemClock, log: NO_LOG });
    await expectError(starting, 'invalidConfig', inside);
  });

  it('says that the kubeconfig cannot be written, and stops again', async () => {
    mkdirSync(join(dir, 'kubeconfig'));
    await expect(start()).rejects.toMatchObject({ code: 'invalidConfig' });
    rmSync(join(dir, 'kubeconfig'), { recursive: true });
    await (await start()).close();
  });
});
