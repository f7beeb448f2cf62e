import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ServerRecords } from './server-records.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'headway-records-'));
});
afterEach(() => {
  rmSync(home, { recursive: true });
});

const record = (port: number) => ({
  url: `http://127.0.0.1:${String(port)}`,
  clusters: ['demo'],
  proofKey: new Uint8Array(32).fill(port),
  startedAt: new Date(port).toISOString(),
});
const ports = () => new ServerRecords(home).running().map(({ url }) => Number(new URL(url).port));

it('are those of every server of this home, the newest first, and each goes with its own', () => {
  const records = new ServerRecords(home);
  const first = records.add('a', record(1));
  const second = records.add('b', record(2));
  expect(ports()).toEqual([2, 1]);
  expect(records.running()[1]).toMatchObject({ clusters: ['demo'], proofKey: Buffer.alloc(32, 1) });
  second[Symbol.dispose]();
  expect(ports()).toEqual([1]);
  first[Symbol.dispose]();
  expect([ports(), readdirSync(join(home, 'servers'))]).toEqual([[], []]);
});

it('are for this user alone, and mean nothing without the lock or in another form', () => {
  const records = new ServerRecords(home);
  using _ = records.add('a', record(1));
  const modes = ['servers', 'servers/a.json'].map((path) => statSync(join(home, path)).mode & 0o777);
  expect(modes).toEqual([0o700, 0o600]);
  writeFileSync(join(home, 'servers', 'killed.json'), JSON.stringify({ ...record(2), proofKey: 'x' }));
  writeFileSync(join(home, 'servers', 'a.json'), '{"url":');
  expect(ports()).toEqual([]);
  using __ = records.add('b', record(3));
  // What nobody holds is swept away when the next server starts.
  const left = readdirSync(join(home, 'servers')).filter((file) => file.endsWith('.json'));
  expect(left.toSorted()).toEqual(['a.json', 'b.json']);
});
