import { AppError, formatCount, isAppError } from '../../base/index.ts';
import type {
  ContentsAnswer,
  DiffAnswer,
  FieldChange,
  ItemAnswer,
  ItemName,
  StoredVolume,
} from '../../core/operations/index.ts';
import type { CliDeps } from '../ports.ts';
import { printTable } from '../print/rows.ts';
import { printDocument } from '../print/structured.ts';
import { askServer, needServer } from './find-server.ts';
import { pathFor, type InspectFlags, type Inspected } from './inspected.ts';
import { printVolumes, showFiles, showVolumes, volumesIn } from './inspect-volumes.ts';

/** What is in a backup, read by the server from the location; values of Secrets never leave it. */
export async function inspectBackup(deps: CliDeps, backup: string, flags: InspectFlags): Promise<void> {
  const asked = [
    ...(flags.item === undefined ? [] : ['--item']),
    ...(flags.diff === undefined ? [] : ['--diff']),
    ...(flags.files === undefined ? [] : ['--files']),
    ...(flags.volumes === true ? ['--volumes'] : []),
  ];
  if (asked.length > 1) throw new AppError('usage', `use either ${asked.join(' or ')}, not both`);
  const served = await needServer(deps, flags, 'looking into a backup');
  const inspected = { deps, served, backup, flags };
  try {
    if (flags.item !== undefined) await showItem(inspected, parseItem(flags.item));
    else if (flags.diff !== undefined) await showDiff(inspected, flags.diff);
    else if (flags.files !== undefined) await showFiles(inspected, flags.files);
    else if (flags.volumes === true) await showVolumes(inspected);
    else await showContents(inspected);
  } catch (error) {
    throw withHint(inspected, error);
  }
}

/** What is not there is most often only called otherwise. */
function withHint({ deps, backup, flags }: Inspected, error: unknown): unknown {
  if (!isAppError(error, 'notFound') || error.details?.['hint'] !== undefined) return error;
  const isInside = flags.item !== undefined || flags.files !== undefined;
  const look = isInside ? `inspect ${backup} --${flags.files === undefined ? 'items' : 'volumes'}` : 'backup get';
  const hint = `List what there is with: ${deps.programName} ${look}`;
  return new AppError(error.code, error.message, { cause: error, details: { ...error.details, hint } });
}

/** `NAMESPACE/RESOURCE/NAME`, or `RESOURCE/NAME` for what has no namespace. */
function parseItem(text: string): ItemName {
  const parts = text.split('/');
  const [namespace, resource, name] = parts.length === 2 ? ['', ...parts] : parts;
  if (parts.length > 3 || !resource || !name || (parts.length === 3 && !namespace)) {
    throw new AppError('usage', `--item "${text}" names no object: expected NAMESPACE/RESOURCE/NAME, or RESOURCE/NAME`);
  }
  return { resource, name, ...(namespace ? { namespace } : {}) };
}

async function showItem(inspected: Inspected, item: ItemName): Promise<void> {
  const { deps, served, backup, flags } = inspected;
  const path = pathFor(inspected, backup, '/item');
  const answer = (await askServer(served, { method: 'GET', path, query: { ...item } })) as ItemAnswer;
  if (flags.output === 'json') await printDocument(deps.output, answer, 'json');
  else deps.output.text(answer.yaml.endsWith('\n') ? answer.yaml : `${answer.yaml}\n`);
  if (answer.isMasked) deps.output.note('Values of Secrets are masked.');
}

async function showContents(inspected: Inspected): Promise<void> {
  const { deps, served, backup, flags } = inspected;
  const query = { namespace: flags.inNamespace, kind: flags.kind, q: flags.search };
  const path = pathFor(inspected, backup, '/contents');
  const ask = async (more?: string): Promise<ContentsAnswer> =>
    (await askServer(served, { method: 'GET', path, query: { ...query, continue: more } })) as ContentsAnswer;
  const first = await ask();
  const isNarrowed = Object.values(query).some((value) => value !== undefined);
  if (flags.items !== true && !isNarrowed && flags.output === undefined) await printGroups(inspected, first);
  else await printItems(inspected, await withAllItems(first, ask));
  for (const problem of first.problems) deps.output.note(`▲ ${problem}`);
}

async function withAllItems(
  first: ContentsAnswer,
  ask: (more: string) => Promise<ContentsAnswer>,
): Promise<ContentsAnswer> {
  const items = [...first.items];
  for (let more = first.continue; more !== undefined;) {
    const page = await ask(more);
    items.push(...page.items);
    more = page.continue;
  }
  return { ...first, items };
}

async function printGroups(inspected: Inspected, { groups, total }: ContentsAnswer): Promise<void> {
  const { deps, backup } = inspected;
  deps.output.line(`backup/${backup}  ${formatCount(total)} items`);
  deps.output.line();
  const rows = groups.map(({ namespace, resource, count }) => [namespace ?? '–', resource, formatCount(count)]);
  printTable(deps.output, ['NAMESPACE', 'RESOURCE', 'ITEMS'], rows);
  const volumes = await volumesOrNone(inspected);
  if (volumes.length > 0) {
    deps.output.line();
    printVolumes(deps.output, volumes);
  }
  deps.output.note();
  if (volumes.length > 0)
    deps.output.note(`Files of a volume: ${deps.programName} inspect ${backup} --files NAMESPACE/CLAIM`);
  deps.output.note(`One item: ${deps.programName} inspect ${backup} --item NAMESPACE/RESOURCE/NAME`);
}

/** A server of an older version tells nothing of volumes; the items are there all the same. */
async function volumesOrNone(inspected: Inspected): Promise<StoredVolume[]> {
  try {
    return await volumesIn(inspected);
  } catch (error) {
    if (isAppError(error, 'notFound')) return [];
    throw error;
  }
}

async function printItems({ deps, flags }: Inspected, answer: ContentsAnswer): Promise<void> {
  if (flags.output !== undefined) {
    const { continue: _, ...whole } = answer;
    await printDocument(deps.output, whole, flags.output);
    return;
  }
  for (const item of answer.items) deps.output.line(itemText(item));
  if (answer.items.length === 0) deps.output.note('Nothing in the backup matches');
}

async function showDiff(inspected: Inspected, other: string): Promise<void> {
  const { deps, served, backup, flags } = inspected;
  const id = decodeURIComponent(pathFor(inspected, other).slice('/api/backups/'.length));
  const query = { with: other === 'cluster' ? 'cluster' : id };
  const diff = (await askServer(served, {
    method: 'GET',
    path: pathFor(inspected, backup, '/diff'),
    query,
  })) as DiffAnswer;
  if (flags.output !== undefined) await printDocument(deps.output, diff, flags.output);
  else for (const line of diffLines(backup, other, diff)) deps.output.line(line);
}

/** Plus, minus and tilde as in every diff: from the backup to the other one. */
export function diffLines(backup: string, other: string, diff: DiffAnswer): string[] {
  const { added, removed, changed } = diff.counts;
  const whole = other === 'cluster' ? 'the cluster' : `backup/${other}`;
  const same = added + removed + changed === 0;
  return [
    same
      ? `backup/${backup} and ${whole} are equal: ${formatCount(diff.equal)} items`
      : `From backup/${backup} to ${whole}: ${formatCount(added)} added, ${formatCount(removed)} removed, ` +
        `${formatCount(changed)} changed, ${formatCount(diff.equal)} equal`,
    ...(same ? [] : ['']),
    ...diff.added.map((item) => `+ ${itemText(item)}`),
    ...diff.removed.map((item) => `- ${itemText(item)}`),
    ...diff.changed.flatMap((item) => [`~ ${itemText(item)}`, ...item.fields.map(fieldLine)]),
    ...(diff.isCut ? ['… and more differences'] : []),
    ...diff.problems.map((problem) => `▲ not compared: ${problem}`),
  ];
}

function fieldLine({ path, before, after }: FieldChange): string {
  return `    ${path}: ${before ?? 'absent'} → ${after ?? 'absent'}`;
}

function itemText({ namespace, resource, name }: ItemName): string {
  return [...(namespace === undefined ? [] : [namespace]), resource, name].join('/');
}
