const UNITS = ['KiB', 'MiB', 'GiB', 'TiB'];

/** `19.073 MiB`: as restic writes sizes, and so Kanister's outputs. */
export function resticSize(bytes: number): string {
  let power = 0;
  while (power < UNITS.length && bytes >= 1024 ** (power + 1)) power += 1;
  return power === 0 ? `${String(bytes)} B` : `${(bytes / 1024 ** power).toFixed(3)} ${UNITS[power - 1] ?? ''}`;
}
