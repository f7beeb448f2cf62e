import { describe, expect, it } from 'vitest';
import {
  BACKUPS,
  backupKeys,
  nameInFolder,
  nameProblem,
  repositoryFolder,
  RESTORES,
  restoreKeys,
  TOP_FOLDERS,
} from './index.ts';

describe("the layout of Velero's files", () => {
  it('has these for a backup', () => {
    expect((Object.values(backupKeys('b1')) as string[]).toSorted()).toEqual([
      'backups/b1/',
      'backups/b1/b1-csi-volumesnapshotclasses.json.gz',
      'backups/b1/b1-csi-volumesnapshotcontents.json.gz',
      'backups/b1/b1-csi-volumesnapshots.json.gz',
      'backups/b1/b1-itemoperations.json.gz',
      'backups/b1/b1-logs.gz',
      'backups/b1/b1-podvolumebackups.json.gz',
      'backups/b1/b1-resource-list.json.gz',
      'backups/b1/b1-results.gz',
      'backups/b1/b1-volumeinfo.json.gz',
      'backups/b1/b1-volumepluginbackups.json.gz',
      'backups/b1/b1-volumesnapshots.json.gz',
      'backups/b1/b1.tar.gz',
      'backups/b1/velero-backup.json',
    ]);
  });

  it('has these for a restore', () => {
    expect((Object.values(restoreKeys('r1')) as string[]).toSorted()).toEqual([
      'restores/r1/',
      'restores/r1/r1-volumeinfo.json.gz',
      'restores/r1/restore-r1-itemoperations.json.gz',
      'restores/r1/restore-r1-logs.gz',
      'restores/r1/restore-r1-resource-list.json.gz',
      'restores/r1/restore-r1-results.gz',
    ]);
  });

  it('stands in folders that Velero knows', () => {
    const keys = [
      ...(Object.values(backupKeys('b')) as string[]),
      ...(Object.values(restoreKeys('r')) as string[]),
      repositoryFolder('kopia', 'ns'),
    ];
    for (const key of keys) expect(TOP_FOLDERS).toContain(key.split('/')[0]);
    expect(repositoryFolder('restic', 'ns')).toBe('restic/ns/');
  });

  it('gives the name back', () => {
    expect(nameInFolder(BACKUPS, backupKeys('b1').folder)).toBe('b1');
    expect(nameInFolder(RESTORES, restoreKeys('r1').folder)).toBe('r1');
    for (const other of ['backups/', 'backups/x', 'restores/r1/', 'backups/a/b/', '']) {
      expect(nameInFolder(BACKUPS, other)).toBeUndefined();
    }
  });
});

describe('a name that is too long', () => {
  const longest = 'n'.repeat(253);
  it('is known beforehand for a directory, and no problem for a bucket', () => {
    expect(nameProblem('headway.io/fs', backupKeys(longest))).toContain('too long for a location in a directory');
    expect(nameProblem('headway.io/fs', restoreKeys(longest))).toContain('too long');
    expect(nameProblem('headway.io/fs', backupKeys('n'.repeat(200)))).toBeUndefined();
    expect(nameProblem('aws', backupKeys(longest))).toBeUndefined();
  });
});
