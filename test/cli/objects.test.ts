import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../eventually.ts';
import { CliFixture, BACKUPS, RESTORES, VELERO } from './cli-fixture.ts';

let cli: CliFixture;
beforeAll(async () => {
  cli = await CliFixture.start();
});
afterAll(async () => {
  await cli[Symbol.asyncDispose]();
});

const SCHEDULES = { ...VELERO, kind: 'Schedule', plural: 'schedules' };
const LOCATIONS = { ...VELERO, kind: 'BackupStorageLocation', plural: 'backupstoragelocations' };

describe('creating', () => {
  it('takes the flags of velero and says how to follow', async () => {
    const { code, out, err } = await cli.run(
      ...['backup', 'create', 'all-flags', '--include-namespaces', 'shop,bill-*', '--exclude-resources', 'events'],
      ...['-l', 'app=shop,tier!=test', '--ttl', '24h', '--snapshot-volumes=false', '--labels', 'a=b,c=d'],
      ...['--ordered-resources', 'pods=shop/a,shop/b;persistentvolumes=c', '--parallel-files-upload', '3'],
      ...['--resource-policies-configmap', 'rules', '--default-volumes-to-fs-backup'],
    );
    expect({ code, out, err }).toEqual({
      code: 0,
      out: 'backup/all-flags created\n',
      err: 'Watch it with: headway watch backup/all-flags\n',
    });
    const object = await cli.get(BACKUPS, 'all-flags');
    expect(object.metadata.labels).toEqual({ a: 'b', c: 'd' });
    expect(object['spec']).toEqual({
      includedNamespaces: ['shop', 'bill-*'],
      excludedResources: ['events'],
      labelSelector: {
        matchLabels: { app: 'shop' },
        matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['test'] }],
      },
      ttl: '24h0m0s',
      snapshotVolumes: false,
      defaultVolumesToFsBackup: true,
      orderedResources: { pods: 'shop/a,shop/b', persistentvolumes: 'c' },
      uploaderConfig: { parallelFilesUpload: 3 },
      resourcePolicy: { kind: 'configmap', name: 'rules' },
    });
  });

  it('restores into other namespaces, from a backup that exists', async () => {
    await cli.run('backup', 'create', 'source');
    const { code } = await cli.run(
      ...['restore', 'create', 'copy', '--from-backup', 'source', '--namespace-mappings', 'shop:shop2,a:b'],
      ...[
        '--existing-resource-policy',
        'update',
        '--resource-modifier-configmap',
        'changes',
        '--restore-volumes=false',
      ],
      ...['--status-include-resources', 'deployments.apps', '--or-selector', 'app=a or app=b'],
      ...['--resource-policies-configmap', 'filters'],
    );
    expect(code).toBe(0);
    expect((await cli.get(RESTORES, 'copy'))['spec']).toEqual({
      backupName: 'source',
      namespaceMapping: { shop: 'shop2', a: 'b' },
      existingResourcePolicy: 'update',
      resourceModifier: { kind: 'configmap', name: 'changes' },
      resourcePolicy: { kind: 'configmap', name: 'filters' },
      restorePVs: false,
      restoreStatus: { includedResources: ['deployments.apps'] },
      orLabelSelectors: [{ matchLabels: { app: 'a' } }, { matchLabels: { app: 'b' } }],
    });
    const missing = await cli.run('restore', 'create', '--from-backup', 'nowhere');
    expect(missing).toEqual({
      code: 3,
      out: '',
      err: 'headway: there is no backup "nowhere" in namespace velero\nList what there is with: headway backup get\n',
    });
  });

  it('names a restore after its backup and the time, and takes the newest of a schedule', async () => {
    expect((await cli.run('restore', 'create', '--from-backup', 'source')).out).toMatch(
      /^restore\/source-\d{14} created\n$/,
    );
    await cli.run('backup', 'create', 'of-nightly', '--labels', 'velero.io/schedule-name=nightly');
    await cli.setStatus(BACKUPS, 'of-nightly', { phase: 'PartiallyFailed', startTimestamp: '2026-01-01T00:00:00Z' });
    await cli.run('restore', 'create', 'newest', '--from-schedule', 'nightly', '--allow-partially-failed');
    expect((await cli.get(RESTORES, 'newest'))['spec']).toEqual({ backupName: 'of-nightly' });
    await cli.run('restore', 'create', 'server-decides', '--from-schedule', 'nightly');
    expect((await cli.get(RESTORES, 'server-decides'))['spec']).toEqual({ scheduleName: 'nightly' });
  });

  it('creates, pauses and uses a schedule', async () => {
    await cli.run(
      'schedule',
      'create',
      'daily',
      '--schedule',
      '0 3 * * *',
      '--ttl',
      '48h',
      '--include-namespaces',
      'shop',
    );
    const spec = { schedule: '0 3 * * *', template: { includedNamespaces: ['shop'], ttl: '48h0m0s' } };
    expect((await cli.get(SCHEDULES, 'daily'))['spec']).toEqual(spec);
    expect((await cli.run('schedule', 'pause', 'daily')).out).toBe('schedule/daily paused\n');
    expect((await cli.run('schedule', 'get')).out).toMatch(/daily +○ paused +0 3 \* \* \*/);
    const nextRun = new Date(Date.now() + 5 * 3_600_000 + 30_000).toISOString();
    const body = { status: { phase: 'Enabled', nextRun } };
    await cli.kube.patch({ type: SCHEDULES, namespace: 'velero', name: 'daily' }, { kind: 'merge', body });
    await cli.run('schedule', 'unpause', 'daily', '--skip-immediately');
    expect((await cli.run('schedule', 'get')).out).toMatch(/daily +✓ enabled +0 3 \* \* \* +– +in 5 h 0 min/);
    expect((await cli.run('schedule', 'describe', 'daily')).out).toMatch(/^State +✓ enabled\n.*\n.*\nNext .* UTC/m);
    expect((await cli.get(SCHEDULES, 'daily'))['spec']).toEqual({ ...spec, paused: false, skipImmediately: true });
    await cli.run('backup', 'create', 'by-hand', '--from-schedule', 'daily', '--ttl', '1h');
    const backup = await cli.get(BACKUPS, 'by-hand');
    expect(backup['spec']).toEqual({ includedNamespaces: ['shop'], ttl: '1h0m0s' });
    expect(backup.metadata.labels).toEqual({ 'velero.io/schedule-name': 'daily' });
  });

  it('tells of a location', async () => {
    const ports = { readFile: () => Promise.resolve('PEM') };
    const args = [
      'location',
      'create',
      'far',
      '--provider',
      'aws',
      '--bucket',
      'b',
      '--config',
      'region=eu,s3Url=http://x',
    ];
    const { code } = await cli.begin([...args, '--credential', 'keys=cloud', '--cacert', 'ca.pem', '--default'], ports)
      .ended;
    expect(code).toBe(0);
    expect((await cli.get(LOCATIONS, 'far'))['spec']).toEqual({
      provider: 'aws',
      objectStorage: { bucket: 'b', caCert: 'UEVN' },
      config: { region: 'eu', s3Url: 'http://x' },
      credential: { name: 'keys', key: 'cloud' },
      default: true,
    });
  });

  it('prints instead of creating, as velero does', async () => {
    const { out } = await cli.run('backup', 'create', 'printed', '--include-namespaces', 'shop', '-o', 'yaml');
    expect(parse(out)).toEqual({
      apiVersion: 'velero.io/v1',
      kind: 'Backup',
      metadata: { name: 'printed', namespace: 'velero' },
      spec: { includedNamespaces: ['shop'] },
    });
    expect((await cli.run('backup', 'get', 'printed')).code).toBe(3);
  });

  it('refuses what exists, what has no name and what is no name', async () => {
    await cli.run('backup', 'create', 'twice');
    const again = await cli.run('backup', 'create', 'twice');
    expect(again.code).toBe(1);
    expect(again.err).toContain('backup "twice" already exists in namespace velero\nSee it with:');
    expect((await cli.run('backup', 'create')).code).toBe(2);
    expect((await cli.run('backup', 'create', 'Not_A_Name')).code).toBe(2);
    expect((await cli.run('restore', 'create')).code).toBe(2);
    const nowhere = await cli.run('backup', 'create', 'x', '-n', 'no-such-namespace');
    expect(nowhere.code).toBe(3);
    expect(nowhere.err).toContain('Install it with: headway install');
  });
});

describe('listing as kubectl does', () => {
  const inDefault = ['-n', 'default'];
  beforeAll(async () => {
    for (const name of ['habit-a', 'habit-b'])
      await cli.run('schedule', 'create', name, ...inDefault, '--schedule', '@daily');
  });

  it('shows the others when one of several names is missing', async () => {
    const { code, out, err } = await cli.run(
      'schedule',
      'get',
      'habit-a',
      'typo',
      'habit-b',
      ...inDefault,
      '-o',
      'name',
    );
    expect({ code, out, err }).toEqual({
      code: 3,
      out: 'schedule.velero.io/habit-a\nschedule.velero.io/habit-b\n',
      err: 'headway: there is no schedule "typo" in namespace default\nList what there is with: headway schedule get\n',
    });
    const described = await cli.run('schedule', 'describe', 'typo', 'habit-b', ...inDefault);
    expect(described.code).toBe(3);
    expect(described.out).toMatch(/^schedule\/habit-b\n/);
    expect(described.err).toMatch(/^headway: there is no schedule "typo" in namespace default\n/);
  });

  it('takes ls, -A and --no-headers', async () => {
    const all = await cli.run('schedule', 'ls', '-A', '-l', '!x');
    expect(all.code).toBe(0);
    expect(all.out).toMatch(/^NAMESPACE +NAME +STATE +SCHEDULE/);
    expect(all.out).toMatch(/^default +habit-a +○ new +@daily/m);
    const bare = await cli.run('schedule', 'ls', ...inDefault, '--no-headers');
    expect(bare.out.split('\n').map((line) => line.split(' ')[0])).toEqual(['habit-a', 'habit-b', '']);
    expect(await cli.run('schedule', 'get', 'habit-a', '-A')).toMatchObject({
      code: 2,
      err: 'headway: names and --all-namespaces cannot be combined: choose the namespace with -n NAMESPACE\n',
    });
    expect((await cli.run('restore', 'get', '-A', '-l', 'no=such')).err).toBe(
      'No restores in any namespace. Create one with: headway restore create --from-backup BACKUP\n',
    );
  });

  it('prints a row whenever something changes with -w', async () => {
    const watch = cli.begin(['backup', 'get', '-w', ...inDefault]);
    await cli.run('backup', 'create', 'changing', ...inDefault);
    await eventually(() => {
      expect(watch.out()).toMatch(/^NAME +STATE .*\nchanging +○ pending/);
    });
    const target = { type: BACKUPS, namespace: 'default', name: 'changing' };
    await cli.kube.patch(target, { kind: 'merge', body: { status: { phase: 'Completed' } } });
    await eventually(() => {
      expect(watch.out()).toMatch(/\nchanging +✓ completed/);
    });
    await cli.kube.delete(target);
    await eventually(() => {
      expect(watch.err()).toBe('backup default/changing was deleted\n');
    });
    watch.interrupt();
    expect((await watch.ended).code).toBe(130);
    expect(watch.out().match(/NAME/g)).toHaveLength(1);
  });
});

describe('deleting', () => {
  it('asks first, and needs --confirm where nobody can be asked', async () => {
    await cli.run('schedule', 'create', 'gone', '--schedule', '@daily');
    expect(await cli.run('schedule', 'delete', 'gone')).toMatchObject({ code: 2, out: '' });
    const questions: string[] = [];
    const ask = (answer: boolean) => ({
      confirm: (question: string) => {
        questions.push(question);
        return Promise.resolve(answer);
      },
    });
    expect((await cli.begin(['schedule', 'delete', 'gone'], ask(false)).ended).code).toBe(130);
    expect((await cli.begin(['schedule', 'delete', 'gone'], ask(true)).ended).out).toBe('schedule/gone deleted\n');
    expect(questions[0]).toBe('Delete schedule gone? (its backups stay) [y/N] ');
    expect((await cli.run('schedule', 'get', 'gone')).code).toBe(3);
  });

  it('asks the server to delete a backup with its files, and waits for it', async () => {
    await cli.run('backup', 'create', 'old');
    const waiting = cli.begin(['backup', 'delete', 'old', '--confirm', '--wait', '--timeout', '20s']);
    const requests = { ...VELERO, kind: 'DeleteBackupRequest', plural: 'deletebackuprequests' };
    for await (const event of cli.kube.watch({ type: requests, namespace: 'velero' })) {
      if (event.type === 'BOOKMARK') continue;
      expect(event.object['spec']).toEqual({ backupName: 'old' });
      expect(event.object.metadata.labels?.['velero.io/backup-name']).toBe('old');
      break;
    }
    await cli.kube.delete({ type: BACKUPS, namespace: 'velero', name: 'old' });
    expect(await waiting.ended).toEqual({ code: 0, out: 'backup/old deleted\n', err: '' });
  });

  it('deletes a backup with the longest name there is', async () => {
    const name = `${'long.'.repeat(50)}end`;
    await cli.run('backup', 'create', name);
    const { code, out } = await cli.run('backup', 'delete', name, '--confirm');
    expect({ code, out }).toEqual({ code: 0, out: `backup/${name} will be deleted\n` });
  });

  it('tells why a backup could not be deleted', async () => {
    await cli.run('backup', 'create', 'kept');
    const waiting = cli.begin(['backup', 'delete', 'kept', '--confirm', '--wait', '--timeout', '20s']);
    const type = { ...VELERO, kind: 'DeleteBackupRequest', plural: 'deletebackuprequests' };
    for await (const event of cli.kube.watch({ type, namespace: 'velero' })) {
      if (event.type !== 'ADDED' || (event.object['spec'] as { backupName: string }).backupName !== 'kept') continue;
      const { name } = event.object.metadata;
      const status = { phase: 'Processed', errors: ['location default is read-only'] };
      await cli.kube.patch({ type, namespace: 'velero', name }, { kind: 'merge', body: { status } });
      break;
    }
    const { code, out } = await waiting.ended;
    expect(code).toBe(1);
    expect(out).toBe('✕ backup/kept could not be deleted\n  location default is read-only\n');
  });
});
