import { describe, expect, it } from 'vitest';
import { actionsOf } from './blueprint-actions.ts';
import { draftProblem, emptyDraft, OTHER_KIND, placeOf, runSpec, type RunDraft } from './run-draft.ts';
import { blueprintId, readBlueprintId } from './blueprint-id.ts';

const BLUEPRINT = {
  actions: {
    backup: {
      kind: 'Deployment',
      secretNames: ['login'],
      outputArtifacts: { dump: { keyValue: { path: '{{ .Phases.dump.Output.path }}' } } },
      phases: [
        { func: 'KubeTask', name: 'dump', args: { image: 'debian', command: ['sh', '-c', 'dump > x\n'] }, retries: 2 },
        { func: 'KubeOps', args: { spec: { kind: 'ConfigMap' } } },
      ],
      deferPhase: { func: 'ScaleWorkload', name: 'up' },
    },
    restore: { inputArtifactNames: ['dump'], phases: 'none of your business' },
    broken: 7,
  },
};
const [BACKUP, RESTORE] = actionsOf(BLUEPRINT) as [
  ReturnType<typeof actionsOf>[number],
  ReturnType<typeof actionsOf>[number],
];
const HERE = { namespace: 'shop', name: 'mysql' };
const draft = (change: Partial<RunDraft> = {}): RunDraft => {
  const empty = emptyDraft('n', BACKUP, 'shop');
  return { ...empty, object: { ...empty.object, name: 'db' }, secrets: { login: 'root' }, ...change };
};

describe('a Blueprint', () => {
  it('is read whatever is written there', () => {
    const actions = actionsOf(BLUEPRINT);
    expect(actions.map(({ name, phases }) => [name, phases.map((phase) => phase.name)])).toEqual([
      ['backup', ['dump', '2', 'up']],
      ['restore', []],
      ['broken', []],
    ]);
    expect(BACKUP.phases[0]).toMatchObject({ retries: 2, isDeferred: false });
    expect(BACKUP.phases[0]?.args[1]).toEqual({ name: 'command', text: 'sh\n-c\ndump > x' });
    expect(BACKUP.phases[2]?.isDeferred).toBe(true);
    expect(actionsOf({})).toEqual([]);
  });

  it('has an address of its own, also in a cluster whose name has slashes', () => {
    const key = { cluster: 'arn:aws:eks/prod', namespace: 'shop', name: 'my.sql' };
    expect(readBlueprintId(blueprintId(key))).toEqual(key);
  });
});

describe('the form of an action', () => {
  it('says what is missing before anything is sent', () => {
    expect(draftProblem(draft(), BACKUP)).toBeUndefined();
    expect(draftProblem(draft({ secrets: {} }), BACKUP)).toContain('login');
    const { object } = draft();
    expect(draftProblem(draft({ object: { ...object, name: '' } }), BACKUP)).toContain('object');
    expect(draftProblem(draft({ object: { ...object, kind: OTHER_KIND } }), BACKUP)).toContain('resource');
    expect(draftProblem(draft({ profile: 'a/b/c' }), BACKUP)).toContain('a/b/c');
    expect(draftProblem(draft({ moreSecrets: 'x=Not A Name' }), BACKUP)).toContain('Not A Name');
    expect(draftProblem(draft({ options: 'level=3\nfast' }), BACKUP)).toContain('fast');
    expect(draftProblem(draft(), RESTORE)).toContain('artifacts');
    expect(draftProblem(draft({ from: 'x', object: { ...object, name: '' } }), RESTORE)).toBeUndefined();
  });

  it('writes an action as kanctl would', () => {
    const sent = draft({
      profile: 'other/s3',
      options: 'level = 3\nwhere=a=b, c\n\n',
      moreConfigMaps: 'tuning=cm',
    });
    expect(runSpec(sent, HERE, undefined)).toEqual({
      actions: [
        {
          name: 'backup',
          blueprint: 'mysql',
          object: { kind: 'Deployment', namespace: 'shop', name: 'db' },
          profile: { namespace: 'other', name: 's3' },
          secrets: { login: { namespace: 'shop', name: 'root' } },
          configMaps: { tuning: { namespace: 'shop', name: 'cm' } },
          options: { level: '3', where: 'a=b, c' },
        },
      ],
    });
    const { object } = sent;
    expect(runSpec({ ...sent, object: { ...object, kind: 'Namespace', name: 'shop' } }, HERE, undefined)).toMatchObject(
      {
        actions: [{ object: { kind: 'Namespace', namespace: 'shop', name: 'shop' } }],
      },
    );
    const other = { ...object, kind: OTHER_KIND, group: 'g', version: 'v1', resource: 'things' };
    expect(runSpec({ ...sent, object: other }, HERE, undefined)).toMatchObject({
      actions: [{ object: { group: 'g', apiVersion: 'v1', resource: 'things', namespace: 'shop', name: 'db' } }],
    });
  });

  it('takes object, inputs and artifacts from an earlier set, and what is filled in wins', () => {
    const asked = { secrets: { login: { name: 'old' } }, profile: { name: 'p' }, options: { a: '1' } };
    const earlier = {
      spec: { actions: [asked] },
      status: {
        actions: [{ object: { kind: 'Deployment', name: 'was' }, artifacts: { dump: { keyValue: { path: 'x' } } } }],
      },
    };
    const empty = { ...emptyDraft('n', RESTORE, 'shop'), from: 'id' };
    const artifacts = { dump: { keyValue: { path: 'x' } } };
    expect(runSpec(empty, HERE, earlier)).toEqual({
      actions: [
        { name: 'restore', blueprint: 'mysql', object: { kind: 'Deployment', name: 'was' }, artifacts, ...asked },
      ],
    });
    const filled = { ...empty, options: 'b=2', object: { ...empty.object, name: 'new' } };
    expect(runSpec(filled, HERE, earlier)).toMatchObject({
      actions: [{ object: { name: 'new' }, options: { b: '2' }, secrets: asked.secrets }],
    });
  });

  it.each([
    ['a', { namespace: 'n', name: 'a' }],
    ['b/a', { namespace: 'b', name: 'a' }],
    ['', undefined],
    ['a/', undefined],
    ['a/b/c', undefined],
  ])('reads the place %j', (text, place) => {
    expect(placeOf(text, 'n')).toEqual(place);
  });
});
