import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { KINDS, toCrd } from '../../src/api/index.ts';
import { needs } from '../bed/index.ts';
import { manifests } from '../manifests.ts';
import { tableOf } from './table.ts';
import { openTerminal, programOf, TEST_MS } from './terminal.ts';

const ROOT = join(import.meta.dirname, '../..');
const need = needs('kubectl', 'velero');

describe.skipIf(need.missing)(need.title('Headway’s kinds on a pocket cluster'), { timeout: TEST_MS }, () => {
  const terminal = openTerminal();
  const { kubectl, refused, start, file } = terminal;
  const velero = terminal.program(programOf('velero'));

  beforeAll(async () => {
    await kubectl`apply -f ${join(ROOT, 'deploy/crds')}`;
    const names = KINDS.map((kind) => `crd/${toCrd(kind).metadata.name}`);
    await kubectl`wait ${names} --for=condition=Established --timeout=20s`;
    for (const ns of ['velero', 'kanister', 'openshift-migration']) await kubectl`create ns ${ns}`;
  });

  it('are defined once, also when they are applied twice', async () => {
    const lines = (await kubectl`apply -f ${join(ROOT, 'deploy/crds')}`).trimEnd().split('\n');
    expect(lines).toHaveLength(KINDS.length);
    expect(lines.filter((line) => !line.endsWith(' unchanged'))).toEqual([]);
  });

  it('take every example', async () => {
    const examples = join(ROOT, 'deploy/examples');
    const created = (await kubectl`apply -f ${examples}`).trimEnd().split('\n');
    expect(created).toHaveLength(manifests('deploy/examples').length);
    expect(created.filter((line) => !line.endsWith(' created'))).toEqual([]);
    expect(await kubectl`apply -f ${examples}`).not.toMatch(/created|configured/);
  });

  describe('in kubectl', { concurrent: true, timeout: TEST_MS }, () => {
    it('show how far a backup is', async () => {
      await kubectl`create -f ${file('running.yaml', JSON.stringify(RUNNING))}`;
      const [row] = tableOf(await kubectl`get backups running -n velero`);
      expect(row).toMatchObject({
        NAME: 'running',
        STATUS: 'InProgress',
        PERCENT: '42',
        STAGE: 'archiving',
        ITEMS: '42',
        TOTAL: '100',
        'ETA(S)': '58',
      });
      expect(await kubectl`get backup -n velero -o wide`).toMatch(/ EXPIRES +LOCATION /);
      expect(await kubectl`describe backup running -n velero`).toMatch(/^ +Items Backed Up: +42$/m);
    });

    it('show it live', async () => {
      await kubectl`create -f ${file('live.yaml', JSON.stringify({ ...RUNNING, metadata: named('live') }))}`;
      await using watch = start`get backup live -n velero -w`;
      await watch.prints('42 ');
      await kubectl`patch backup live -n velero --type=merge -p ${'{"status":{"progress":{"percent":77}}}'}`;
      await watch.prints('77 ');
      expect(tableOf(watch.text()).map(({ PERCENT }) => PERCENT)).toEqual(['42', '77']);
    });

    it('explain themselves', async () => {
      expect(await kubectl`explain backup.spec.ttl`).toMatch(
        /^KIND: +Backup\n[^]*FIELD: ttl <string>\n[^]*How long the backup is kept; 720h if empty\.$/m,
      );
      expect(await kubectl`explain migplans.spec`).toMatch(/^FIELDS:\n/m);
      expect(await kubectl`explain actionset --recursive`).toMatch(/^ {2}spec\t</m);
    });

    it('are found by their short names', async () => {
      for (const name of ['bsl', 'vsl', 'vpb', 'dvmp'])
        expect(await kubectl`get ${name} -A -o name`).not.toContain('error');
    });

    it('refuse what their schema does not allow', async () => {
      const wrong = { ...RUNNING, metadata: named('wrong'), status: { phase: 'Odd' } };
      expect((await refused`create -f ${file('wrong.yaml', JSON.stringify(wrong))}`).stderr).toContain(
        'The Backup "wrong" is invalid: status.phase: Unsupported value: "Odd": supported values: "New", ',
      );
      const unknown = { ...RUNNING, metadata: named('unknown'), spec: { tll: '1h' } };
      expect((await refused`create -f ${file('unknown.yaml', JSON.stringify(unknown))}`).stderr).toContain(
        'strict decoding error: unknown field "spec.tll"',
      );
    });
  });

  describe('in the stock velero command line', { concurrent: true, timeout: TEST_MS }, () => {
    it('create and list backups', async () => {
      expect(await velero.run`backup create first --include-namespaces shop --ttl 24h`).toContain(
        'Backup request "first" submitted successfully.',
      );
      const rows = tableOf(await velero.run`backup get`);
      expect(rows.find(({ NAME }) => NAME === 'first')).toMatchObject({
        STATUS: 'New',
        ERRORS: '0',
        SELECTOR: '<none>',
      });
      expect(await kubectl`get backup first -n velero -o jsonpath=${'{.spec.includedNamespaces} {.spec.ttl}'}`).toBe(
        '["shop"] 24h0m0s',
      );
      expect((await velero.refused`backup create first`).stderr).toContain('backups.velero.io "first" already exists');
    });

    it('create, pause and delete schedules', async () => {
      expect(await velero.run`schedule create daily --schedule ${'0 1 * * *'}`).toContain('created successfully');
      expect(await velero.run`schedule pause daily`).toContain('paused successfully');
      const [row] = tableOf(await velero.run`schedule get daily`);
      expect(row).toMatchObject({ NAME: 'daily', STATUS: 'New', SCHEDULE: '0 1 * * *', PAUSED: 'true' });
      expect(await velero.run`schedule delete daily --confirm`).toContain('Schedule deleted: daily');
      expect((await refused`get schedule daily -n velero`).stderr).toContain('not found');
    });

    it('create and list locations', async () => {
      const created = await velero.run`backup-location create second --provider aws --bucket b --config region=eu`;
      expect(created).toContain('Backup storage location "second" configured successfully.');
      const rows = tableOf(await velero.run`backup-location get`);
      expect(rows.find(({ NAME }) => NAME === 'second')).toMatchObject({ PROVIDER: 'aws', 'BUCKET/PREFIX': 'b' });
      expect(await velero.run`snapshot-location create third --provider aws`).toContain('configured successfully');
    });

    it('ask to restore and to delete', async () => {
      await kubectl`create -f ${file('done.yaml', JSON.stringify({ ...RUNNING, metadata: named('done') }))}`;
      expect(await velero.run`restore create back --from-backup done`).toContain('Restore request "back" submitted');
      expect(await velero.run`restore get back`).toMatch(/^back +done +New /m);
      expect(await velero.run`backup delete done --confirm`).toContain('Request to delete backup "done" submitted');
      const requests = await kubectl`get deletebackuprequests -n velero -l velero.io/backup-name=done`;
      expect(tableOf(requests)).toMatchObject([{ BACKUPNAME: 'done' }]);
    });

    it('wait for the end, as every informer of client-go does', async () => {
      await using waiting = velero.start`backup create slow --wait`;
      await waiting.prints('Waiting for backup to complete.');
      for (const phase of ['InProgress', 'Completed']) {
        await kubectl`patch backup slow -n velero --type=merge -p ${JSON.stringify({ status: { phase } })}`;
      }
      expect(await waiting.exitCode()).toBe(0);
      expect(waiting.text()).toContain('Backup completed with status: Completed.');
    });

    it('ask for the server, which an answer will come from later', async () => {
      await using asking = velero.start`version --timeout 30s`;
      const path = '{.items[*].metadata.generateName}';
      await using request = start`get serverstatusrequests -n velero -w -o jsonpath=${'{.metadata.generateName}'}`;
      await request.prints('velero-cli-');
      expect(await kubectl`get ssr -n velero -o jsonpath=${path}`).toBe('velero-cli-');
      const name = await kubectl`get ssr -n velero -o name`;
      const status = { phase: 'Processed', serverVersion: 'v1.18.3' };
      await kubectl`patch ${name.trim()} -n velero --type=merge -p ${JSON.stringify({ status })}`;
      expect(await asking.exitCode()).toBe(0);
      expect(asking.text()).toMatch(/Server:\n\tVersion: v1\.18\.3/);
    });
  });
});

const named = (name: string) => ({ name, namespace: 'velero' });

const RUNNING = {
  apiVersion: 'velero.io/v1',
  kind: 'Backup',
  metadata: named('running'),
  spec: { storageLocation: 'default' },
  status: {
    phase: 'InProgress',
    progress: { itemsBackedUp: 42, totalItems: 100, percent: 42, stage: 'archiving', etaSeconds: 58 },
  },
};
