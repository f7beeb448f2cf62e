/** A number, or a percentage of `total` such as `25%`. */
export function scaledValue(value: number | string | undefined, total: number, round: 'up' | 'down'): number {
  if (value === undefined) return 0;
  if (typeof value === 'number') return value;
  const percent = Number(value.replace('%', ''));
  if (Number.isNaN(percent)) return 0;
  const exact = (total * percent) / 100;
  return round === 'up' ? Math.ceil(exact) : Math.floor(exact);
}
