import { describe, expect, it } from 'vitest';
import { checkNames, readArguments } from './check.ts';
import { decodeArgument, readTimeout } from './decode.ts';
import { FUNCTIONS, functionLike, functionNamed } from './table.ts';

const KUBE_TASK = functionNamed('KubeTask')!;

describe('functions', () => {
  it('are the 28 of Kanister, by their exact names', () => {
    expect(FUNCTIONS.map(({ name }) => name).toSorted()).toEqual([
      ...['BackupData', 'BackupDataAll', 'BackupDataStats', 'CheckRepository', 'CopyVolumeData', 'CreateCSISnapshot'],
      ...[
        'CreateCSISnapshotStatic',
        'CreateRDSSnapshot',
        'DeleteCSISnapshot',
        'DeleteCSISnapshotContent',
        'DeleteData',
      ],
      ...['DeleteDataAll', 'DeleteRDSSnapshot', 'ExportRDSSnapshotToLocation', 'KubeExec', 'KubeExecAll', 'KubeOps'],
      ...['KubeTask', 'LocationDelete', 'MultiContainerRun', 'PrepareData', 'RestoreCSISnapshot', 'RestoreData'],
      ...['RestoreDataAll', 'RestoreRDSSnapshot', 'ScaleWorkload', 'Wait', 'WaitV2'],
    ]);
    expect(functionNamed('kubetask')).toBeUndefined();
    expect(functionLike('kubetask')).toBe('KubeTask');
  });

  it('tell how they progress and what becomes of them when the controller ends', () => {
    const classes = (by: 'progress' | 'resume', value: string) =>
      FUNCTIONS.filter((declaration) => declaration[by] === value && !declaration.unsupported).map(({ name }) => name);
    expect(classes('progress', 'bytes')).toEqual([
      'BackupData',
      'BackupDataAll',
      'CopyVolumeData',
      'RestoreData',
      'RestoreDataAll',
    ]);
    expect(classes('progress', 'once')).toEqual(['ScaleWorkload']);
    expect(classes('resume', 'fail')).toEqual(['KubeExec', 'KubeExecAll', 'BackupData', 'BackupDataAll']);
    // Who is found again needs a name to be found by.
    for (const { name, resume, podPrefix } of FUNCTIONS)
      expect([name, podPrefix !== undefined]).toEqual([name, resume === 'pod']);
    expect(FUNCTIONS.filter(({ unsupported }) => unsupported).map(({ name }) => name)).toHaveLength(4);
  });

  it("say in upstream's words which arguments are missing, unknown or exclude each other", () => {
    expect(checkNames(KUBE_TASK, { image: 'x', nonsense: 1, podlabels: {} })).toEqual([
      {
        argument: 'command',
        kind: 'missing',
        message: 'Required args missing for function KubeTask: Required arg missing: command',
      },
      {
        argument: 'nonsense',
        kind: 'unknown',
        message: 'Checking supported args for function KubeTask.: argument nonsense is not supported',
      },
      {
        argument: 'podlabels',
        kind: 'unknown',
        message: 'Checking supported args for function KubeTask.: argument podlabels is not supported (podLabels is)',
      },
    ]);
    const both = { namespace: 'n', image: 'i', backupArtifactPrefix: 'p', pod: 'a', volumes: {} };
    expect(checkNames(functionNamed('RestoreData')!, both)).toEqual([
      { message: 'Require one argument: pod or volumes', kind: 'exclusive' },
    ]);
  });

  it('read their arguments with their types, and tell every problem at once', () => {
    const { values, problems } = readArguments(KUBE_TASK, {
      image: null,
      command: 'one word',
      podLabels: { a: 1 },
      podOverride: 'no object',
    });
    expect(values).toEqual({ command: ['one word'], podLabels: { a: '1' } });
    expect(problems.map(({ message }) => message)).toEqual([
      'argument image is null',
      'Failed to decode arg `podOverride`: expected an object, got "no object"',
    ]);
  });
});

describe('arguments', () => {
  it.each([
    ['text', 5, '5'],
    ['text', true, '1'],
    ['text', 12345678901234567890n, '12345678901234567890'],
    ['texts', ['a', 1, false], ['a', '1', '0']],
    ['texts', 'a', ['a']],
    ['flag', 'true', true],
    ['flag', 'T', true],
    ['flag', 0, false],
    ['flag', '', false],
    ['count', '-3', -3],
    ['count', 7, 7],
    ['textMap', { a: 'b', c: 2 }, { a: 'b', c: '2' }],
    ['podSpec', { a: [] }, { a: [] }],
  ] as const)('of type %s are read leniently: %s', (type, given, value) => {
    expect(decodeArgument(type, given as never)).toEqual({ value });
  });

  it.each([
    ['text', ['a'], 'expected text, got a list'],
    ['texts', ['a', {}], '[1]: expected text, got an object'],
    ['flag', 'maybe', 'expected true or false, got "maybe"'],
    ['count', '1.5', 'expected a whole number, got "1.5"'],
    ['textMap', 'a', 'expected an object, got "a"'],
    ['textMap', { a: null }, 'a: expected text, got null'],
    ['conditions', { anyOf: 'x' }, 'anyOf: expected a list, got "x"'],
    ['conditions', { allOf: [{}] }, 'allOf[0]: expected a condition and an objectReference'],
    ['conditions', [], 'expected an object with anyOf or allOf, got a list'],
    ['objectReference', 1, 'expected an object, got 1'],
    ['text', 'x'.repeat(3), undefined],
  ] as const)('of type %s refuse %j: %s', (type, given, problem) => {
    expect(decodeArgument(type, given as never)).toEqual(problem === undefined ? { value: given } : { problem });
  });

  it('read references without the slash that kanctl writes', () => {
    expect(
      decodeArgument('objectReference', { group: 'apps/', apiVersion: 'v1', resource: 'deployments', name: 'x' }),
    ).toEqual({
      value: { group: 'apps', apiVersion: 'v1', resource: 'deployments', name: 'x', kind: '', namespace: '' },
    });
  });

  it('read timeouts', () => {
    expect(readTimeout('90s')).toEqual({ value: 90_000 });
    expect(readTimeout('soon')).toEqual({ problem: 'Failed to parse timeout: "soon" is no duration' });
  });
});
