import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { JsonObject } from '../../src/base/index.ts';
import { adapterFor } from '../../src/core/operations/index.ts';
import { eventually } from '../eventually.ts';
import { objectOf } from '../kube-kinds.ts';
import { BACKUPS, CliFixture, RESTORES, VELERO } from './cli-fixture.ts';
import type { Ran } from './command-line.ts';
import { ScriptedHeadway } from './scripted-headway.ts';

/** Sets the title, clears the screen, writes over the line, fakes a line, reads backwards, and 8-bit codes. */
const EVIL = '\u001b]0;owned\u0007\u001b[2J\rfine\n✓ restore/all  completed\u202egpj.exe\u009b31m\u007f';
/** What a terminal obeys or shows as other text; only the newline lays out lines. */
const HARMFUL = /(?!\n)[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u;
const SHOWN = '\\x1b]0;owned\\a\\x1b[2J\\rfine';

const SCHEDULES = { ...VELERO, kind: 'Schedule', plural: 'schedules' };
const LOCATIONS = { ...VELERO, kind: 'BackupStorageLocation', plural: 'backupstoragelocations' };
const ID = 'pocket-test.backup.velero.evil';

let cli: CliFixture;
let headway: ScriptedHeadway;
beforeAll(async () => {
  cli = await CliFixture.start();
  headway = await ScriptedHeadway.start();
  await create(BACKUPS, 'evil', { storageLocation: EVIL, includedNamespaces: [EVIL] });
  await cli.setStatus(BACKUPS, 'evil', {
    phase: 'InProgress',
    startTimestamp: new Date().toISOString(),
    progress: { percent: 3, itemsBackedUp: 3, totalItems: 100, stage: 'archiving', current: EVIL },
  });
  await create(BACKUPS, 'stuck', {});
  await cli.setStatus(BACKUPS, 'stuck', {
    phase: 'InProgress',
    conditions: [{ type: 'Stalled', status: 'True', message: `${EVIL}; ${EVIL}` }],
  });
  await create(RESTORES, 'evil', { backupName: EVIL, namespaceMapping: { [EVIL]: EVIL } });
  await cli.setStatus(RESTORES, 'evil', { phase: 'FailedValidation', validationErrors: [EVIL] });
  await create(SCHEDULES, 'evil', { schedule: EVIL, template: { ttl: '1h0m0s', storageLocation: EVIL } });
  await cli.setStatus(SCHEDULES, 'evil', { phase: 'FailedValidation', validationErrors: [EVIL] });
  await create(LOCATIONS, 'evil', {
    ...{ provider: EVIL, objectStorage: { bucket: EVIL, prefix: EVIL }, config: { [EVIL]: EVIL } },
  });
  await cli.setStatus(LOCATIONS, 'evil', { phase: 'Unavailable', message: EVIL });
  await createOther('VolumePluginBackup', {
    spec: { volume: EVIL, backup: EVIL, plugin: EVIL },
    status: { phase: EVIL, message: EVIL },
  });
  const phases = [{ name: EVIL, state: 'running' }];
  await createOther('ActionSet', { status: { state: 'running', actions: [{ name: EVIL, phases }] } });
  const pipeline = [
    { name: EVIL, started: '2026-01-01T00:00:00Z', phase: EVIL, message: EVIL, progress: [EVIL, EVIL] },
  ];
  await createOther('MigMigration', {
    spec: { stage: false },
    status: { phase: EVIL, itinerary: EVIL, errors: [EVIL], pipeline },
  });
  const clusters = [{ name: 'pocket-test', login: 'token', namespace: 'velero', isWatched: true }];
  headway.json('GET /api/session', { version: '1', clusters });
});
afterAll(async () => {
  await headway[Symbol.asyncDispose]();
  await cli[Symbol.asyncDispose]();
});

async function create(type: typeof BACKUPS, name: string, spec: object): Promise<void> {
  const metadata = { name, namespace: 'velero', labels: {}, annotations: { note: EVIL } };
  const object = { apiVersion: 'velero.io/v1', kind: type.kind, metadata, spec: { ...spec } };
  await cli.kube.create({ type, namespace: 'velero' }, object);
}

async function createOther(kind: string, fields: JsonObject): Promise<void> {
  const { type } = adapterFor(kind);
  const metadata = { annotations: { note: EVIL } };
  await cli.kube.create({ type, namespace: 'velero' }, objectOf(type, 'evil', { spec: {}, metadata, ...fields }));
}

function expectClean({ out, err }: Omit<Ran, 'code'>): void {
  expect(out + err).not.toMatch(HARMFUL);
  // A line of its own would be taken for ours.
  expect(out + err).not.toMatch(/^✓ restore\/all/m);
}

describe('text of objects on a terminal', () => {
  it.each([
    'backup get -o wide',
    'restore get -o wide',
    'schedule get -o wide',
    'location get -o wide',
    'backup describe evil',
    'restore describe evil',
    'schedule describe evil',
    'location describe evil',
    'volume get -n velero -o wide',
    'action get -n velero',
    'migration get -n velero -o wide',
    'volume describe evil -n velero',
    'action describe evil -n velero',
    'migration describe evil -n velero',
    'watch restore/evil',
  ])('%s writes it out', async (command) => {
    const ran = await cli.run(...command.split(' '));
    expectClean(ran);
    expect(ran.out).toContain(SHOWN);
  });

  it.each([false, true])('watch writes it out (terminal: %s)', async (isTerminal) => {
    const watch = cli.begin(['watch'], { isTerminal });
    await eventually(() => {
      expect(watch.out()).toContain('backup/stuck');
      expect(watch.out()).toContain('backup/evil');
    });
    watch.interrupt();
    const { out, err } = await watch.ended;
    // What the tree is drawn with, and nothing else.
    expectClean({ out: out.replaceAll(/\u001b\[(\d+A\r|K|J)/g, ''), err });
    expect(out).toContain('\\x1b]0;owned');
  });

  it('a table keeps its columns', async () => {
    const { out } = await cli.run('schedule', 'get');
    const [head = '', row = ''] = out.split('\n');
    expect(row.slice(head.indexOf('LAST BACKUP'))).toMatch(/^– /);
  });

  it.each(['backup', 'restore', 'schedule', 'location'])('%s get -o json and -o yaml stay exact', async (noun) => {
    for (const format of ['json', 'yaml'] as const) {
      const ran = await cli.run(noun, 'get', 'evil', '-o', format);
      expectClean(ran);
      const back = (format === 'json' ? JSON.parse(ran.out) : parse(ran.out)) as typeof expected;
      const expected = { metadata: { annotations: { note: EVIL } } };
      expect(back).toMatchObject(expected);
    }
  });

  it('watch -o json stays exact', async () => {
    const ran = await cli.run('watch', 'restore/evil', '-o', 'json');
    expectClean(ran);
    const { facts } = JSON.parse(ran.out) as { facts: { backup: string } };
    expect(facts.backup).toBe(EVIL);
  });
});

describe('text of a server on a terminal', () => {
  const server = (...args: string[]): Promise<Ran> => cli.run(...args, '--server', headway.url);

  it('writes out errors and their hints', async () => {
    headway.json(`GET /api/backups/${ID}/contents`, { error: { code: 'forbidden', message: EVIL, hint: EVIL } }, 403);
    const ran = await server('inspect', 'evil');
    expectClean(ran);
    expect(ran.err).toContain(`headway: ${SHOWN}`);
    headway.text(`GET /api/backups/${ID}/contents`, EVIL);
    expectClean(await server('inspect', 'evil'));
  });

  it('writes out contents, differences, plans and verdicts', async () => {
    const item = { namespace: EVIL, resource: EVIL, name: EVIL };
    headway.json(`GET /api/backups/${ID}/contents`, {
      ...{ groups: [{ ...item, count: 1 }], items: [item], total: 1, problems: [EVIL] },
    });
    headway.json(`GET /api/backups/${ID}/item`, { ...item, yaml: `a: ${EVIL}\n`, isMasked: false });
    headway.json(`GET /api/backups/${ID}/diff`, {
      ...{ counts: { added: 1, removed: 0, changed: 1 }, equal: 0, isCut: false, problems: [EVIL] },
      ...{ added: [item], removed: [], changed: [{ ...item, fields: [{ path: EVIL, before: EVIL, after: EVIL }] }] },
    });
    headway.json(`POST /api/backups/${ID}/verify`, { ok: false, sha256Found: EVIL, entries: 1, problems: [EVIL] });
    headway.json('POST /api/plan', {
      ...{ kind: 'Backup', validationErrors: [], unmatched: [{ field: 'f', name: EVIL, message: EVIL }] },
      ...{ resources: [{ resource: EVIL, count: 1, isEstimate: false }] },
      ...{ total: 1, namespaces: [EVIL], leftOut: [{ reason: EVIL, count: 1, examples: [EVIL] }], warnings: [EVIL] },
    });
    for (const args of [
      ['inspect', 'evil'],
      ['inspect', 'evil', '--items'],
      ['inspect', 'evil', '--diff', 'cluster'],
      ['backup', 'verify', 'evil'],
      ['backup', 'create', 'x', '--dry-run'],
    ]) {
      const ran = await server(...args);
      expectClean(ran);
      expect(ran.out).toContain(SHOWN);
    }
    // An item is a document of many lines.
    const { out } = await server('inspect', 'evil', '--item', 'a/b/c');
    expect(out).not.toMatch(HARMFUL);
  });

  it('writes out log lines', async () => {
    headway.text(`GET /api/operations/${ID}/log`, `first\tcolumn\n${EVIL.replace('\n', ' ')}\n`);
    const { out } = await server('backup', 'logs', 'evil');
    expect(out).toMatch(/^first\tcolumn\n/);
    expect(out.replace('\t', '')).not.toMatch(HARMFUL);
    expect(out).toContain(SHOWN);
  });
});
