import { formatBytes, formatCount } from '../../base/index.ts';
import type {
  FilesListing,
  StoredVolume,
  VolumeFile,
  VolumeFilesAnswer,
  VolumesAnswer,
} from '../../core/operations/index.ts';
import { NONE } from '../print/measures.ts';
import type { Printer } from '../print/printer.ts';
import { printTable } from '../print/rows.ts';
import { printDocument } from '../print/structured.ts';
import { askServer } from './find-server.ts';
import { pathFor, type Inspected } from './inspected.ts';

/** Many, because the server reads an archive from its beginning for every page. */
const PAGE = '50000';

export async function volumesIn(inspected: Inspected): Promise<StoredVolume[]> {
  const path = pathFor(inspected, inspected.backup, '/volumes');
  const { volumes } = (await askServer(inspected.served, { method: 'GET', path })) as VolumesAnswer;
  return volumes;
}

/** The volumes whose data is in a backup. */
export async function showVolumes(inspected: Inspected): Promise<void> {
  const { deps, backup, flags } = inspected;
  const volumes = await volumesIn(inspected);
  if (flags.output !== undefined) {
    await printDocument(deps.output, { volumes }, flags.output);
    return;
  }
  if (volumes.length === 0) {
    deps.output.note(`No volume's data is in backup/${backup}`);
    return;
  }
  printVolumes(deps.output, volumes);
}

export function printVolumes(output: Printer, volumes: readonly StoredVolume[]): void {
  const rows = volumes.map(({ id, claim, plugin, phase, bytes, message }) => [
    claim ?? NONE,
    plugin,
    bytes === undefined ? NONE : formatBytes(bytes),
    message === undefined ? phase : `${phase}: ${message}`,
    id,
  ]);
  printTable(output, ['CLAIM', 'DATA BY', 'SIZE', 'PHASE', 'VOLUME'], rows);
}

/** How often it is told how far a list is that takes long. */
const TELL_SECONDS = 5;

/** Every file of one volume, as `ls -l` would. */
export async function showFiles(inspected: Inspected, volume: string): Promise<void> {
  const { deps, served, backup, flags } = inspected;
  const path = pathFor(inspected, backup, '/volumes/files');
  const ask = async (more?: string): Promise<VolumeFilesAnswer> => {
    const query = { volume, q: flags.search, limit: PAGE, continue: more };
    let toldAt: number | undefined;
    for (;;) {
      const answer = (await askServer(served, { method: 'GET', path, query })) as VolumeFilesAnswer;
      const { listing } = answer;
      if (listing === undefined) return answer;
      if (toldAt !== undefined && listing.seconds - toldAt < TELL_SECONDS) continue;
      toldAt = listing.seconds;
      deps.output.note(listingText(answer.volume, listing));
    }
  };
  const all: VolumeFile[] = [];
  let count = 0;
  for (let page = await ask(); ; page = await ask(page.continue)) {
    if (count === 0) for (const note of page.notes ?? []) deps.output.note(`Note: ${note}`);
    count += page.files.length;
    if (flags.output === undefined) for (const file of page.files) deps.output.line(fileLine(file));
    else all.push(...page.files);
    if (page.continue !== undefined) continue;
    if (flags.output !== undefined) await printDocument(deps.output, { volume: page.volume, files: all }, flags.output);
    else if (count === 0) deps.output.note('No file in the volume matches');
    return;
  }
}

/** `A mover lists the files of shop/data with kopia: 12 s, 34,567 so far` */
function listingText({ claim, id, plugin }: StoredVolume, { seconds, entries, waitsFor }: FilesListing): string {
  const far = entries > 0 ? `${formatCount(entries)} so far` : (waitsFor ?? 'it begins');
  return `A mover lists the files of ${claim ?? id} with ${plugin}: ${seconds} s, ${far}`;
}

const LETTERS: Readonly<Record<VolumeFile['type'], string>> = { file: '-', link: 'h', symlink: 'l', directory: 'd' };

const RIGHTS = ['r', 'w', 'x', 'r', 'w', 'x', 'r', 'w', 'x'];

/** `-rw-r--r--   1.0 MiB  2026-11-17 14:00:05  sub/file -> target` */
export function fileLine({ path, type, bytes, mode, modifiedAt, target }: VolumeFile): string {
  const rights = RIGHTS.map((letter, at) => ((mode >> (8 - at)) & 1 ? letter : '-')).join('');
  const size = (type === 'file' ? formatBytes(bytes) : NONE).padStart(9);
  const time = modifiedAt.slice(0, 19).replace('T', ' ');
  return `${LETTERS[type]}${rights}  ${size}  ${time}  ${path}${target === undefined ? '' : ` -> ${target}`}`;
}
