import { AppError, isAppError, type Json } from '../../base/index.ts';
import type { StoredVolume, VolumeFilesAnswer, VolumesAnswer } from '../../core/operations/index.ts';
import { backupKeys, getJson, type Store } from '../../edge/store/index.ts';
import { listArchive } from '../../edge/volumes/index.ts';
import { volumeRows } from './volume-rows.ts';

/** As large as what a restore reads of the same files. */
const LIMITS = { isGzipped: true, maxBytes: 64 * 1024 ** 2, maxValues: 500_000 };

/** The volumes of a backup, as its own files tell. */
export async function volumesOf(store: Store, backup: string, signal: AbortSignal): Promise<VolumesAnswer> {
  return { volumes: await readRows(store, backup, signal) };
}

async function readRows(store: Store, backup: string, signal: AbortSignal): Promise<StoredVolume[]> {
  const keys = backupKeys(backup);
  const read = async (key: string): Promise<Json | undefined> =>
    (await getJson(store, key, { ...LIMITS, signal }))?.value;
  return volumeRows(await read(keys.volumePluginBackups), await read(keys.podVolumeBackups));
}

export interface FilesQuery {
  /** Part of the path. */
  q?: string | undefined;
  limit: number;
  /** How many to pass over. */
  continue?: number | undefined;
}

interface Asked {
  backup: string;
  volume: string;
  query: FilesQuery;
}

/** Who lists what is in a repository of kopia. */
type ListKopia = (
  row: StoredVolume & Required<Pick<StoredVolume, 'namespace' | 'snapshot'>>,
) => Promise<Omit<VolumeFilesAnswer, 'volume'>>;

/** The files of one volume, as far as they can be known. */
export async function volumeFilesOf(
  store: Store,
  asked: Asked,
  listKopia: ListKopia,
  signal: AbortSignal,
): Promise<VolumeFilesAnswer> {
  const { backup, volume } = asked;
  const row = (await readRows(store, backup, signal)).find(({ id, claim }) => id === volume || claim === volume);
  if (row === undefined) throw new AppError('notFound', `list volume ${volume}: backup ${backup} has no such volume`);
  if (row.plugin === 'stream') return await filesInArchive(store, row, asked, signal);
  if (row.plugin !== 'kopia') throw elsewhere(row);
  const { namespace, snapshot = '', phase } = row;
  if (phase !== 'Completed')
    throw new AppError('notFound', `list volume ${volume}: its copy is not whole, but ${phase}`);
  // As Velero tells of a volume without files.
  if (snapshot === '') return { volume: row, files: [], notes: ['the volume was empty'] };
  if (namespace === undefined) {
    throw new AppError('invalid', `list volume ${volume}: the backup does not say in whose repository it is`);
  }
  return { volume: row, ...(await listKopia({ ...row, namespace, snapshot })) };
}

/** An archive is read from its beginning, and no further than the page. */
async function filesInArchive(
  store: Store,
  row: StoredVolume,
  { backup, volume, query }: Asked,
  signal: AbortSignal,
): Promise<VolumeFilesAnswer> {
  const answer: VolumeFilesAnswer = { volume: row, files: [] };
  const from = query.continue ?? 0;
  let seen = 0;
  const stop = new AbortController();
  const within = AbortSignal.any([signal, stop.signal]);
  try {
    const { body } = await store.get(`${backupKeys(backup).folder}volumes/${row.id}.tar.zst`, { signal: within });
    for await (const file of listArchive(body, within)) {
      if (query.q !== undefined && !file.path.includes(query.q)) continue;
      seen += 1;
      if (seen <= from) continue;
      if (answer.files.length >= query.limit) return { ...answer, continue: String(seen - 1) };
      answer.files.push(file);
    }
    return answer;
  } catch (error) {
    if (!isAppError(error, 'notFound')) throw error;
    throw new AppError('notFound', `list volume ${volume}: its archive is not in the location`, { cause: error });
  } finally {
    // What is left of the archive need not be read.
    stop.abort();
  }
}

function elsewhere({ plugin, claim = '' }: StoredVolume): AppError {
  const whose = plugin === '' ? 'its plugin' : plugin;
  return new AppError('unsupported', `list volume ${claim}: its files are where ${whose} keeps them`);
}
