import { describe, expect, it } from 'vitest';
import { manifests } from '../../test/manifests.ts';
import { ActionSet, MigMigration, Restore, VolumePluginBackup } from './index.ts';

const seeds = new Map(manifests('test/fixtures/seeds').map(({ file, object }) => [file.split('/').at(-1), object]));
const seed = (file: string) => structuredClone(seeds.get(file));

describe('what the seeds show', () => {
  it('000: reads the itinerary under its old spelling', () => {
    const { value } = MigMigration.parse(seed('000-running.yaml'));
    expect(value.status).toMatchObject({ itinerary: 'Final', phase: 'InitialBackupCreated' });
    expect(value.status).not.toHaveProperty('itenerary');
  });

  it('000: reads progress on a condition, and the step', () => {
    const running = MigMigration.parse(seed('000-stage-backup.yaml')).value.status.conditions?.[0];
    expect(running?.progress).toBe('6/9 items backed up');
    expect(MigMigration.parse(seed('000-step.yaml')).value.status.step).toBe('Backup');
  });

  it('001: reads names, text sizes and the state of the example as upstream writes them', () => {
    const { value } = ActionSet.parse(seed('001-action-set.yaml'));
    const [first, second] = value.status.actions?.[0]?.phases ?? [];
    expect(first?.state).toBe('complete');
    expect(second?.progress).toEqual({
      progressPercent: '30.00',
      lastTransitionTime: '2023-02-20T12:49:55Z',
      sizeUploadedB: 50000,
      estimatedTimeSeconds: 120,
      estimatedUploadSizeB: 100000000,
    });
    expect(value.status.progress?.percentCompleted).toBe('43.33');
  });

  it('001: drops the malformed time alone, and says so', () => {
    const object = seed('001-action-set.yaml') as unknown as ActionSet;
    object.status.actions![0]!.phases![0]!.progress!.lastTransitionTime = '2023-02-20T12:448:55Z';
    const { value, dropped } = ActionSet.parse(object);
    expect(value.status.actions?.[0]?.phases?.[0]?.progress).toEqual({ progressPercent: '100.00' });
    expect(dropped).toEqual([
      'status.actions[0].phases[0].progress.lastTransitionTime: ' +
        'expected a time such as 2026-01-31T12:00:00Z, got "2023-02-20T12:448:55Z"',
    ]);
  });

  it('001: reads the struct, whose percent is a number', () => {
    const phase = ActionSet.parse(seed('001-struct.yaml')).value.status.actions?.[0]?.phases?.[0];
    expect(phase?.progress).toEqual({
      progressPercent: '30',
      lastTransitionTime: '2023-02-20T12:49:55Z',
      sizeUploadedB: 50000,
      estimatedTimeSeconds: 120,
      estimatedUploadSizeB: 100000000,
    });
  });

  it('002: reads bytes of the struct without JSON names', () => {
    const { status } = VolumePluginBackup.parse(seed('002-volume-plugin-backup.yaml')).value;
    expect(status.progress).toEqual({ totalBytes: 10737418240, bytesDone: 5368709120 });
    expect(status).not.toHaveProperty('completionTimestamp');
  });

  it('004: reads the restore, and the counts of the alternative', () => {
    expect(Restore.parse(seed('004-restore.yaml')).value.status.progress).toEqual({
      itemsRestored: 100,
      totalItems: 140,
    });
    const { progress } = Restore.parse(seed('004-alternative.yaml')).value.status;
    expect(progress).toEqual({ totalItems: 100, skipped: 20, created: 79 });
  });
});
