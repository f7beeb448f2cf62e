import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ActionSet, POD, Profile, SECRET } from '../../src/api/index.ts';
import { valueAt, type JsonObject } from '../../src/base/index.ts';
import { phasesOf, SPACE } from '../action/action-cluster.ts';
import { needs } from '../bed/require.ts';
import { eventually } from '../eventually.ts';
import { objectOf } from '../kube-kinds.ts';
import { backup, FunctionCluster, phase } from './function-cluster.ts';

const need = needs('kopia', 'restic');
const isMoving = (status: JsonObject): boolean => Number(valueAt(phasesOf(status)[0], 'progress', 'sizeUploadedB')) > 0;
const copy = (volume: string, more: JsonObject = {}): JsonObject =>
  phase('CopyVolumeData', { namespace: SPACE, volume, dataArtifactPrefix: `bucket/${volume}`, ...more });

describe.skipIf(need.missing)(need.title('data functions when things go wrong'), { timeout: 400_000 }, () => {
  let cluster: FunctionCluster;
  beforeAll(async () => {
    cluster = await FunctionCluster.start();
    await cluster.profile('store');
    await cluster.application('app', 250);
  }, 300_000);
  afterAll(async () => {
    await cluster?.[Symbol.asyncDispose]();
  });
  /** How often kopia or restic run in the application. */
  const running = async (): Promise<string> =>
    (await cluster.say('app', 'ps ax -o args | grep -c "^[kr][a-z]* .*[b]ackupTag"; true')).trim();

  it('find the pod again after a kill, and do nothing twice', async () => {
    await cluster.begin('kill-copy', [copy('app')]);
    await cluster.actions.status('kill-copy', isMoving, 120_000);
    const pods = await cluster.actions.pods();
    expect(pods).toHaveLength(1);
    await cluster.actions.kill();
    await cluster.actions.serve();
    const [output = {}] = await cluster.outputs('kill-copy');
    expect(output).toMatchObject({ size: '238.419 MiB', backupRoot: '/mnt/vol_data/app' });
    const list = 'kopia snapshot list --all --json | grep -c backupTag';
    const connect = 'kopia repository connect filesystem --path=/store/bucket/app >/dev/null 2>&1';
    const key = '9f735e0df9a1ddc702bf0a1a7b83033f9f7153a00c29de82cedadc9957289b05';
    expect(await cluster.say('app', `export HOME=/tmp KOPIA_PASSWORD=${key}; ${connect}; ${list}`)).toBe('1\n');
    expect(await cluster.leftovers()).toEqual([]);
  });

  it('fail with a sentence when the command in a container cannot be found again, unless there are retries', async () => {
    await cluster.begin('kill-exec', [backup('app', { backupArtifactPrefix: 'bucket/exec' })]);
    await cluster.begin('kill-retry', [backup('app', { backupArtifactPrefix: 'bucket/again' }, { retries: 1 })]);
    await cluster.actions.status('kill-exec', isMoving, 120_000);
    await cluster.actions.status('kill-retry', isMoving, 120_000);
    await cluster.actions.kill();
    await cluster.actions.serve();
    expect(await cluster.failure('kill-exec')).toContain('Headway ended while the command of BackupData ran');
    await cluster.outputs('kill-retry');
    const [again] = phasesOf(await cluster.actions.ended('kill-retry'));
    expect(again!['attempt']).toBe(2);
  });

  it('end what runs in the container when they are canceled', async () => {
    await cluster.begin('cancel', [backup('app', { backupArtifactPrefix: 'bucket/cancel' })]);
    await cluster.actions.status('cancel', isMoving, 120_000);
    const body = { metadata: { annotations: { 'headway.io/cancel': 'true' } } };
    await cluster.kube.patch({ type: ActionSet, namespace: SPACE, name: 'cancel' }, { kind: 'merge', body });
    expect(await cluster.failure('cancel')).toBe('canceled');
    await eventually(
      async () => {
        expect(await running()).toBe('0');
      },
      { withinMs: 30_000 },
    );
  });

  it('refuse bad input before anything is done', async () => {
    const location = { type: 's3Compliant', endpoint: 'http://127.0.0.1:1' };
    await cluster.kube.create(
      { type: Profile, namespace: SPACE },
      objectOf(Profile, 'no-bucket', {
        location,
        credential: {
          type: 'keyPair',
          keyPair: { idField: 'id', secretField: 'secret', secret: { name: 'store-keys', namespace: SPACE } },
        },
      }),
    );
    await cluster.kube.create(
      { type: SECRET, namespace: SPACE },
      objectOf(SECRET, 'empty', { stringData: { id: 'x' } }),
    );
    await cluster.kube.create(
      { type: Profile, namespace: SPACE },
      objectOf(Profile, 'no-keys', {
        location: { ...location, bucket: 'b' },
        credential: {
          type: 'keyPair',
          keyPair: { idField: 'id', secretField: 'secret', secret: { name: 'empty', namespace: SPACE } },
        },
      }),
    );
    const restore = (args: JsonObject): JsonObject =>
      phase('RestoreData', { namespace: SPACE, image: 'debian', backupArtifactPrefix: 'bucket/app', ...args });
    const volumes = { app: '/data' };
    const cases: [string, JsonObject, RegExp, { profile?: string; metadata?: JsonObject }?][] = [
      ['null', backup('app', { includePath: null }), /includePath is null/],
      ['bucket', backup('app'), /the Profile has no bucket/, { profile: 'no-bucket' }],
      ['keys', backup('app'), /Value 'secret' not found in secret 'actions:empty'/, { profile: 'no-keys' }],
      ['neither', restore({ volumes }), /Require one argument: backupTag or backupIdentifier/],
      ['nowhere', restore({ backupIdentifier: 'x' }), /Require one argument: pod or volumes/],
      ['both', restore({ backupIdentifier: 'x', backupTag: 'y', volumes }), /Require one argument/],
      ['relative', restore({ backupIdentifier: 'x', volumes: { app: 'data' } }), /expected an absolute path for app/],
      ['claim', copy('nobody'), /persistentvolumeclaims "nobody" not found/],
      ['info', phase('DeleteDataAll', { namespace: SPACE, backupArtifactPrefix: 'x', backupInfo: '[' }), /backupInfo/],
      ['whole', phase('LocationDelete', { artifact: 'bucket/..' }), /the whole location, which is never deleted/],
      [
        'none',
        restore({ backupIdentifier: 'x', backupArtifactPrefix: 'nothing', volumes }),
        /there is no repository at bucket\/nothing/,
      ],
      [
        'password',
        copy('app', { encryptionKey: 'another-key' }),
        /the password of the repository at bucket\/app is wrong/,
      ],
      ['pod', backup('nobody'), /nobody/],
      ['folder', backup('app', { includePath: '/no such' }), /no such/],
      [
        'mover',
        backup('app'),
        /expected kopia or restic, got "tar"/,
        { metadata: { annotations: { 'headway.io/data-mover': 'tar' } } },
      ],
    ];
    // A repository with another password.
    await cluster.begin('good', [copy('app')]);
    await cluster.outputs('good');
    for (const [name, step, , begun] of cases) await cluster.begin(`bad-${name}`, [step], begun);
    for (const [name, , why] of cases)
      expect([name, await cluster.failure(`bad-${name}`)]).toEqual([name, expect.stringMatching(why)]);
    expect(await cluster.leftovers()).toEqual([]);
  });

  it('say what is missing in a container, and stand garbage, silence and a killed pod', async () => {
    await cluster.application('bare', 1, []);
    await cluster.application('liar', 1, []);
    const lie = `printf '#!/bin/sh\\nhead -c 3000000 /dev/urandom; echo "{\\\\"id\\\\":5,"; exit 0\\n'`;
    await cluster.say('liar', `${lie} >/usr/bin/kopia; chmod +x /usr/bin/kopia`);
    await cluster.begin('bare', [backup('bare')]);
    await cluster.begin('liar', [backup('liar')]);
    await cluster.begin('hung', [copy('bare')], {
      action: { podOverride: { containers: [{ name: 'container', command: ['sleep', '1000'] }] } },
    });
    await cluster.begin('late', [{ ...copy('bare'), timeout: '3s' }], {
      action: { podOverride: { containers: [{ name: 'container', command: ['sleep', '1000'] }] } },
    });
    expect(await cluster.failure('bare')).toContain('the container has neither kopia nor restic');
    expect(await cluster.failure('liar')).toContain('Failed to parse the backup ID from logs');
    expect(await cluster.failure('late')).toContain('has not ended within its timeout of 3s');
    const [pod = ''] = await eventually(
      async () => {
        const pods = await cluster.actions.pods();
        if (pods.length !== 1) throw new Error(pods.join());
        return pods;
      },
      { withinMs: 60_000 },
    );
    await cluster.kube.delete({ type: POD, namespace: SPACE, name: pod }, { gracePeriodSeconds: 0 });
    expect(await cluster.failure('hung')).toMatch(/Failed to create and upload backup|ended|deleted/);
    expect(await cluster.leftovers()).toEqual([]);
  });
});
