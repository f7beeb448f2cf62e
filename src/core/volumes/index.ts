/**
 * What all copies of volumes have in common: the output of kopia and restic, which volumes are copied and by what, names
 * and objects, and how a mover is spoken to. It must never do I/O, read a clock, or know a cluster.
 */
export { LineCutter } from './output/line-cutter.ts';
export { advance, cleanProgress, copyMeasure, copyPercent, type CopyProgress } from './output/copy-progress.ts';
export { parseKopiaSnapshot } from './output/kopia-snapshot.ts';
export { parseKopiaRestore } from './output/kopia-restore.ts';
export { parseKopiaProblem, plainLine, type FileProblem } from './output/kopia-problem.ts';
export { parseResticLine, type ResticLine, type ResticSummary } from './output/restic.ts';

export { fileSystemVolumes } from './choose/pod-volumes.ts';
export { skippedVolume, type BackupVolumeInfo } from './objects/volume-info.ts';
