/** How kubectl shows a length of time: `5s`, `2m30s`, `45m`, `3h12m`, `26h`, `3d4h`, `15d`, `2y30d`. */
export function humanDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return withRest(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return withRest(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 192) return withRest(days, 'd', hours % 24, 'h');
  if (days < 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return days < 365 * 8 ? withRest(years, 'y', days % 365, 'd') : `${years}y`;
}

function withRest(amount: number, unit: string, rest: number, restUnit: string): string {
  return rest === 0 ? `${amount}${unit}` : `${amount}${unit}${rest}${restUnit}`;
}

/** The time since a timestamp of the API, or `<unknown>`. */
export function age(timestamp: unknown, now: number): string {
  const then = typeof timestamp === 'string' ? Date.parse(timestamp) : NaN;
  return Number.isNaN(then) ? '<unknown>' : humanDuration(now - then);
}
