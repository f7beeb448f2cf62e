import { BackupData, BackupDataAll } from './data/backup-data.ts';
import { CopyVolumeData } from './data/copy-volume-data.ts';
import { deleteData, deleteDataAll } from './data/delete-data.ts';
import { LocationDelete } from './data/location-delete.ts';
import { backupDataStats, checkRepository } from './data/repository-questions.ts';
import { RestoreDataAll } from './data/restore-data-all.ts';
import { RestoreData } from './data/restore-data.ts';
import type { FunctionFactory } from './function.ts';
import { KubeExecAll } from './kube-exec-all.ts';
import { KubeExec } from './kube-exec.ts';
import { KubeOps } from './kube-ops.ts';
import { kubeTask } from './kube-task.ts';
import { multiContainerRun } from './multi-container-run.ts';
import { prepareData } from './prepare-data.ts';
import { ScaleWorkload } from './scale-workload.ts';
import { CreateCSISnapshotStatic } from './snapshots/create-snapshot-static.ts';
import { CreateCSISnapshot } from './snapshots/create-snapshot.ts';
import { DeleteCSISnapshot, DeleteCSISnapshotContent } from './snapshots/delete-snapshot.ts';
import { RestoreCSISnapshot } from './snapshots/restore-snapshot.ts';
import { WaitFor } from './wait.ts';

/** What runs each function of core's table. A function is one file and one line here. */
export const IMPLEMENTATIONS: Readonly<Record<string, FunctionFactory>> = {
  BackupData: (context) => new BackupData(context),
  BackupDataAll: (context) => new BackupDataAll(context),
  BackupDataStats: backupDataStats,
  CheckRepository: checkRepository,
  CopyVolumeData: (context) => new CopyVolumeData(context),
  CreateCSISnapshot: (context) => new CreateCSISnapshot(context),
  CreateCSISnapshotStatic: (context) => new CreateCSISnapshotStatic(context),
  DeleteCSISnapshot: (context) => new DeleteCSISnapshot(context),
  DeleteCSISnapshotContent: (context) => new DeleteCSISnapshotContent(context),
  DeleteData: deleteData,
  DeleteDataAll: deleteDataAll,
  KubeExec: (context) => new KubeExec(context),
  KubeExecAll: (context) => new KubeExecAll(context),
  KubeOps: (context) => new KubeOps(context),
  KubeTask: kubeTask,
  LocationDelete: (context) => new LocationDelete(context),
  MultiContainerRun: multiContainerRun,
  PrepareData: prepareData,
  RestoreCSISnapshot: (context) => new RestoreCSISnapshot(context),
  RestoreData: (context) => new RestoreData(context),
  RestoreDataAll: (context) => new RestoreDataAll(context),
  ScaleWorkload: (context) => new ScaleWorkload(context),
  Wait: (context) => new WaitFor(context, 'Wait'),
  WaitV2: (context) => new WaitFor(context, 'WaitV2'),
};
