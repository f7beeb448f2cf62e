import { describe, expect, it } from 'vitest';
import { fileSystemVolumes } from './pod-volumes.ts';

const pod = (annotations: Record<string, string>) => ({
  metadata: { annotations },
  spec: {
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'c' } },
      { name: 'tmp', emptyDir: {} },
      { name: 'cm', configMap: { name: 'm' } },
      { name: 'host', hostPath: { path: '/' } },
      { name: 'default-token-x', emptyDir: {} },
    ],
  },
});
const IN = 'backup.velero.io/backup-volumes';
const OUT = 'backup.velero.io/backup-volumes-excludes';

describe('the volumes of a pod whose files are wanted', () => {
  it.each<[string, Record<string, string>, boolean, string[]]>([
    ['none without a word', {}, false, []],
    ['those that the annotation names', { [IN]: 'tmp,data,none' }, false, ['data', 'tmp']],
    ['never those without data of their own', { [IN]: 'cm,host' }, false, []],
    ['all that may hold data', {}, true, ['data', 'tmp']],
    ['all that the annotation does not exclude', { [OUT]: 'tmp', [IN]: 'tmp' }, true, ['data']],
  ])('are %s', (_, annotations, areAllWanted, names) => {
    expect(fileSystemVolumes(pod(annotations), areAllWanted).map(({ name }) => name)).toEqual(names);
  });
});
