import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, Blueprint, DEPLOYMENT, POD, SECRET } from '../../src/api/index.ts';
import type { JsonObject } from '../../src/base/index.ts';
import { previewSet } from '../../src/control/action/index.ts';
import { systemClock } from '../../src/main/system-clock.ts';
import { NAMESPACES, objectOf } from '../kube-kinds.ts';
import { CliFixture } from './cli-fixture.ts';
import type { Ran } from './command-line.ts';

let cli: CliFixture;
beforeAll(async () => {
  cli = await CliFixture.start();
  const namespace = 'shop';
  await cli.kube.create({ type: NAMESPACES }, objectOf(NAMESPACES, namespace));
  const labels = { app: 'db' };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'db', image: 'example.com/db:1' }] } };
  const spec = { replicas: 1, selector: { matchLabels: labels }, template };
  await cli.kube.create({ type: DEPLOYMENT, namespace }, objectOf(DEPLOYMENT, 'db', { spec }));
  const stringData = { password: 'correct horse', empty: '' };
  await cli.kube.create({ type: SECRET, namespace }, objectOf(SECRET, 'db-keys', { stringData }));
  await cli.kube.create(
    { type: Blueprint, namespace },
    objectOf(Blueprint, 'db', {
      actions: {
        backup: {
          secretNames: ['keys'],
          phases: [
            {
              ...{ func: 'KubeTask', name: 'dump' },
              args: {
                image: 'debian',
                command: ['sh', '-c', 'dump --password {{ .Secrets.keys.Data.password | toString | b64enc }}'],
              },
            },
            {
              ...{ func: 'KubeTask', name: 'after' },
              args: { image: '{{ .Options.image }}', command: ['echo', '{{ .Phases.dump.Output.path }}'] },
            },
          ],
        },
      },
    }),
  );
}, 60_000);
afterAll(async () => {
  await cli[Symbol.asyncDispose]();
});

async function specOf(name: string): Promise<JsonObject> {
  return (await cli.kube.get({ type: ActionSet, namespace: 'shop', name }))['spec'] as JsonObject;
}
async function namesIn(type: typeof ActionSet | typeof POD): Promise<string[]> {
  const names: string[] = [];
  for await (const { items } of cli.kube.list({ type, namespace: 'shop' })) {
    for (const { metadata } of items) names.push(metadata.name);
  }
  return names.toSorted();
}
const create = (...args: string[]): Promise<Ran> => cli.run('action', 'create', '-n', 'shop', ...args);
const BACKUP = ['--action', 'backup', '--blueprint', 'db', '--object', 'deployment/shop/db'];

describe('headway action create', () => {
  it('writes every flag where Kanister reads it', async () => {
    const ran = await create(
      'all-flags',
      ...BACKUP,
      ...['--object', 'namespace/shop', '--object', 'apps/v1/statefulsets/shop/mysql'],
      ...['--profile', 's3', '--options', 'image=debian,level=3', '--secrets', 'keys=shop/db-keys'],
      ...['--config-maps', 'conf=settings', '--labels', 'team=a', '--pod-labels', 'p=1', '--pod-annotations', 'q=2'],
      ...['--ttl', '60'],
    );
    expect(ran).toMatchObject({ code: 0, out: 'action/all-flags created\n' });
    expect(ran.err).toContain('headway action watch all-flags -n shop');
    const common = {
      ...{ name: 'backup', blueprint: 'db', profile: { namespace: 'shop', name: 's3' } },
      options: { image: 'debian', level: '3' },
      secrets: { keys: { namespace: 'shop', name: 'db-keys' } },
      configMaps: { conf: { namespace: 'shop', name: 'settings' } },
      ...{ podLabels: { p: '1' }, podAnnotations: { q: '2' } },
    };
    expect(await specOf('all-flags')).toEqual({
      ttlSecondsAfterFinished: 60,
      actions: [
        { ...common, object: { kind: 'deployment', namespace: 'shop', name: 'db' } },
        { ...common, object: { kind: 'Namespace', namespace: 'shop', name: 'shop' } },
        {
          ...common,
          object: { group: 'apps', apiVersion: 'v1', resource: 'statefulsets', namespace: 'shop', name: 'mysql' },
        },
      ],
    });
    const made = await cli.kube.get({ type: ActionSet, namespace: 'shop', name: 'all-flags' });
    expect(made.metadata.labels).toEqual({ team: 'a' });
  });

  it('takes objects, artifacts and inputs from a set that is complete, and from no other', async () => {
    await create('first', ...BACKUP, '--profile', 's3', '--secrets', 'keys=db-keys', '--options', 'a=1');
    const early = await create('second', '--from', 'first', '--action', 'restore');
    expect(early).toMatchObject({ code: 2, out: '' });
    expect(early.err).toContain('action set "first" is not complete');
    const artifacts = { dump: { keyValue: { path: '/a' } } };
    const object = { kind: 'deployment', namespace: 'shop', name: 'db' };
    const ran = { name: 'backup', blueprint: 'db', object, artifacts, phases: [] };
    const status = { state: 'complete', actions: [ran] };
    await cli.kube.patch(
      { type: ActionSet, namespace: 'shop', name: 'first' },
      { kind: 'merge', body: { status } as unknown as JsonObject },
    );
    expect(await create('second', '--from', 'first', '--action', 'restore', '--options', 'b=2')).toMatchObject({
      code: 0,
    });
    expect(await specOf('second')).toEqual({
      actions: [
        {
          ...{ name: 'restore', blueprint: 'db', object, artifacts },
          profile: { namespace: 'shop', name: 's3' },
          secrets: { keys: { namespace: 'shop', name: 'db-keys' } },
          options: { b: '2' },
        },
      ],
    });
    expect((await create('third', '--from', 'first')).err).toContain('--from needs the --action to run');
    expect(await create('third', '--from', 'gone', '--action', 'restore')).toMatchObject({ code: 3 });
  });

  it.each([
    [['--action', 'backup'], 'say what to run: --action, --blueprint and --object'],
    [['--action', 'backup', '--blueprint', 'db', '--object', 'db'], '--object: expected KIND/NAMESPACE/NAME'],
    [[...BACKUP, '--profile', 'a/b/c'], '--profile: expected [namespace/]name, got "a/b/c"'],
    [[...BACKUP, '--ttl', 'soon'], '--ttl: expected seconds, got "soon"'],
    [[...BACKUP, '--options', 'novalue'], 'novalue'],
  ])('refuses %j', async (args, message) => {
    const before = await namesIn(ActionSet);
    const ran = await create('bad', ...args);
    expect(ran.code).toBe(2);
    expect(ran.err).toContain(message);
    expect(await namesIn(ActionSet)).toEqual(before);
  });

  it('prints the object instead of creating it, and gives it a name', async () => {
    const { out } = await create(...BACKUP, '-o', 'json');
    const printed = JSON.parse(out) as JsonObject;
    expect(printed).toMatchObject({ apiVersion: 'cr.kanister.io/v1alpha1', kind: 'ActionSet' });
    expect(printed['metadata']).toMatchObject({ name: expect.stringMatching(/^backup-\d{14}$/) as string });
  });

  it('of a dry run shows what phases would be told, masks Secrets however they are turned, and makes nothing', async () => {
    const before = [await namesIn(ActionSet), await namesIn(POD)];
    const preview = (...args: string[]): Promise<Ran> =>
      cli.begin(['action', 'create', 'dry', '-n', 'shop', '--dry-run', ...args], {
        previewActions: (kube, set) =>
          previewSet(set, { kube, clock: systemClock, random: Math.random }, AbortSignal.timeout(10_000)),
      }).ended;
    const inputs = ['--secrets', 'keys=db-keys', '--options', 'image=debian'];
    const { code, out } = await preview(...BACKUP, ...inputs);
    expect(out).toContain('Action backup of Blueprint db\n  Phase dump: KubeTask\n');
    // What is turned around is the mask, not the value.
    expect(out).toContain(`dump --password ${Buffer.from('***').toString('base64')}`);
    expect(out).toContain('    image: debian\n');
    expect(out).toMatch(/command: .*\(known when it runs: .*dump.*\)|Phase after: KubeTask[^]*known when it runs/);
    expect(out).toContain('Nothing was created: dry was only tried.');
    expect(out).not.toContain('correct horse');
    expect(out).not.toContain(Buffer.from('correct horse').toString('base64'));
    expect(code).toBe(0);
    const refused = await preview('--action', 'nothing', '--blueprint', 'db', '--object', 'deployment/shop/db');
    expect(refused).toMatchObject({ code: 1, out: expect.stringContaining('✕ This would be refused') as string });
    const json = await preview(...BACKUP, ...inputs, '-o', 'json');
    expect(JSON.parse(json.out)).toMatchObject({ problems: [], actions: [{ action: 'backup', blueprint: 'db' }] });
    expect(json.out).not.toContain('correct horse');
    expect([await namesIn(ActionSet), await namesIn(POD)]).toEqual(before);
  });
});
