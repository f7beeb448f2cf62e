import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { checkArchive } from './check-archive.ts';
import { FILE_SHAPES, RESTORE_SHAPES, problemsOf, type Shape } from './file-shapes.ts';

const TOP = ['backups', 'restores', 'restic', 'kopia', 'metadata', 'plugins'];

/**
 * Everything in which a bucket is not what Velero writes (reference: Velero's on-disk format, as real 1.18.3 left it):
 * where files stand, that they can be unpacked, what is in them. It knows nothing of how Headway writes them.
 */
export async function checkBucket(directory: string): Promise<string[]> {
  const files = (await readdir(directory, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(directory, join(entry.parentPath, entry.name)).split(sep).join('/'))
    // What the store itself keeps beside the objects.
    .filter((path) => !path.startsWith('.'));
  const problems = files
    .filter((path) => !TOP.includes(path.split('/')[0]!))
    .map((path) => `${path}: not a place of Velero's`);
  for (const name of folders(files, 'backups')) problems.push(...(await checkBackup(directory, name, files)));
  for (const name of folders(files, 'restores')) {
    const folder = `restores/${name}/`;
    problems.push(...(await checkFiles(directory, files, { folder, name, shapes: RESTORE_SHAPES })));
  }
  return problems;
}

async function checkBackup(directory: string, name: string, files: readonly string[]): Promise<string[]> {
  const folder = `backups/${name}/`;
  const problems = await checkFiles(directory, files, { folder, name, shapes: FILE_SHAPES });
  const metadata = `${folder}velero-backup.json`;
  const archive = `${folder}${name}.tar.gz`;
  if (!files.includes(metadata)) return [...problems, `${metadata}: missing, so the backup does not exist`];
  const backup = parsed(await readFile(join(directory, metadata)));
  problems.push(...checkMetadata(backup, name).map((problem) => `${metadata}: ${problem}`));
  if (!files.includes(archive)) return [...problems, `${archive}: missing, so nothing can be restored`];
  const found = await checkArchive(await readFile(join(directory, archive)));
  problems.push(...found.problems.map((problem) => `${archive}: ${problem}`));
  const listed = parsed(gunzipSync(await readFile(join(directory, `${folder}${name}-resource-list.json.gz`))));
  problems.push(
    ...compareLists(found.list, listed as Record<string, string[]>).map((problem) => `${archive}: ${problem}`),
  );
  const done = (backup as { status?: { progress?: { itemsBackedUp?: number } } }).status?.progress?.itemsBackedUp;
  const items = Object.values(found.list).flat().length;
  if (done !== items) problems.push(`${metadata}: itemsBackedUp is ${done ?? 'absent'}, the archive holds ${items}`);
  return problems;
}

interface Folder {
  folder: string;
  name: string;
  shapes: readonly Shape[];
}

async function checkFiles(
  directory: string,
  files: readonly string[],
  { folder, name, shapes }: Folder,
): Promise<string[]> {
  const problems: string[] = [];
  for (const { file, isGzip, schema } of shapes) {
    const path = `${folder}${file(name)}`;
    if (!files.includes(path)) {
      problems.push(`${path}: missing`);
      continue;
    }
    try {
      const bytes = await readFile(join(directory, path));
      const text = (isGzip ? gunzipSync(bytes) : bytes).toString();
      problems.push(...problemsOf(schema, text).map((problem) => `${path}: ${problem}`));
    } catch (error) {
      problems.push(`${path}: ${String(error)}`);
    }
  }
  return problems;
}

function checkMetadata(backup: unknown, name: string): string[] {
  const { kind, apiVersion, metadata, status } = backup as {
    kind?: string;
    apiVersion?: string;
    metadata?: { name?: string; annotations?: Record<string, string> };
    status?: Record<string, unknown>;
  };
  const facts: [string, boolean][] = [
    ['kind and apiVersion', kind === 'Backup' && apiVersion === 'velero.io/v1'],
    [`the name ${name}`, metadata?.name === name],
    ['a terminal phase', ['Completed', 'PartiallyFailed', 'Failed'].includes(String(status?.['phase']))],
    ['formatVersion 1.1.0', status?.['formatVersion'] === '1.1.0'],
    ['version 1', status?.['version'] === 1],
    ['an expiration', !Number.isNaN(Date.parse(String(status?.['expiration'])))],
    ['a start and an end', ['startTimestamp', 'completionTimestamp'].every((field) => isTime(status?.[field]))],
    ["the cluster's version", metadata?.annotations?.['velero.io/source-cluster-k8s-gitversion'] !== undefined],
  ];
  return facts.filter(([, isSo]) => !isSo).map(([what]) => `${what} expected`);
}

/** As Velero writes times: whole seconds, UTC. */
function isTime(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(value);
}

function compareLists(archive: Record<string, string[]>, listed: Record<string, string[]>): string[] {
  const kinds = [...new Set([...Object.keys(archive), ...Object.keys(listed)])];
  return kinds.flatMap((kind) => {
    const [inArchive, inList] = [(archive[kind] ?? []).toSorted(), listed[kind] ?? []];
    const isSorted = inList.every((name, index) => index === 0 || inList[index - 1]! <= name);
    return [
      ...(isSorted ? [] : [`the resource list of ${kind} is not sorted`]),
      ...inArchive
        .filter((name) => !inList.includes(name))
        .map((name) => `${kind} ${name} is not in the resource list`),
      ...inList.filter((name) => !inArchive.includes(name)).map((name) => `${kind} ${name} is listed only`),
    ];
  });
}

function folders(files: readonly string[], top: string): string[] {
  const names = files.filter((path) => path.startsWith(`${top}/`)).map((path) => path.split('/')[1]!);
  return [...new Set(names)];
}

function parsed(bytes: Uint8Array): unknown {
  return JSON.parse(Buffer.from(bytes).toString());
}
