import { rm } from 'node:fs/promises';

export const title = 'ordered resources come first in the archive, and those that are not there are warned about';
export const namespaces = ['c16'];

export async function run({ apply, makeNamespaces, backup, v, run, kjson, configMap, secret, docs }) {
  await makeNamespaces('c16');
  const maps = ['a', 'b', 'y', 'z'].map((name) => configMap('c16', name));
  await apply(docs(...maps, secret('c16', 's1'), secret('c16', 's2')));
  const ordered = 'configmaps=c16/z,c16/b;secrets=c16/s2';
  const b = await backup('c16-b', '--include-namespaces', 'c16', '--ordered-resources', ordered);
  const missing = await backup(
    'c16-m',
    '--include-namespaces',
    'c16',
    '--ordered-resources',
    'configmaps=c16/not-there',
  );
  const file = `c16-${process.pid}.tar.gz`;
  await v('backup', 'download', 'c16-b', '-o', file, '--force');
  const paths = (await run('tar', ['tzf', file])).out.split('\n');
  await rm(file, { force: true });
  const of = (type) =>
    paths.filter((path) => path.startsWith(`resources/${type}/namespaces/c16/`)).map((path) => path.split('/').at(-1));
  const { spec } = await kjson('-n', 'velero', 'get', 'backups.velero.io', 'c16-b');
  return {
    b,
    missing,
    spec: spec.orderedResources,
    first: [of('configmaps').slice(0, 2), of('secrets')[0]],
    twice: paths.filter((path) => /configmaps\/.*\/z\.json$/.test(path)).sort(),
    version: paths[0],
  };
}
