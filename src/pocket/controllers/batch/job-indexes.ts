import type { Job, Pod } from '../kinds/index.ts';

export const INDEX = 'batch.kubernetes.io/job-completion-index';

export function isIndexed(job: Job): boolean {
  return job.spec.completionMode === 'Indexed';
}

export function indexOf(pod: Pod): number {
  const text = pod.metadata.annotations?.[INDEX] ?? '';
  return /^\d+$/.test(text) ? Number(text) : -1;
}

/** `0,2-4` as the API writes the indexes that are done. */
export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>();
  for (const part of (text ?? '').split(',').filter((one) => one !== '')) {
    const [first = 0, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index += 1) indexes.add(index);
  }
  return indexes;
}

export function formatIndexes(indexes: ReadonlySet<number>): string {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last?.[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(',');
}
