const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB'] as const;

/** `0 B`, `1.5 KiB`, `118 MiB`: one decimal at most, powers of 1024. */
export function formatBytes(bytes: number): string {
  let value = Math.max(0, bytes);
  let unit = 0;
  while (value >= 1023.5 && unit < BYTE_UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : 1;
  return `${value.toFixed(digits)} ${String(BYTE_UNITS[unit])}`;
}

/** For people: `< 0.1 s`, `0.8 s`, `29 s`, `4 min`, `1 h 12 min`, `3 d 4 h`. */
export function formatDuration(seconds: number): string {
  const exact = Math.max(0, seconds);
  if (exact < 0.05) return '< 0.1 s';
  if (exact < 0.95) return `${exact.toFixed(1)} s`;
  if (exact < 59.5) return `${exact.toFixed(0)} s`;
  const minutes = Math.round(exact / 60);
  if (minutes < 60) return `${String(minutes)} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return `${String(hours)} h ${String(minutes % 60)} min`;
  return `${String(Math.floor(hours / 24))} d ${String(hours % 24)} h`;
}

/** `2 431`: groups of three, separated by a space that every terminal shows. */
export function formatCount(count: number): string {
  return String(count).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
}

const GO_UNITS_MS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  // Go accepts the Greek letter as well as the micro sign.
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};
const GO_DURATION =
  /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)(?:(?:\d+(?:\.\d*)?|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))*$/;
/** Go counts nanoseconds in 63 bits, about 292 years. */
const GO_MAX_MS = 2 ** 63 / 1e6;

/** Milliseconds of a Go duration such as `720h0m0s`, or undefined if the text is not one. */
export function parseGoDuration(text: string): number | undefined {
  if (/^[+-]?0$/.test(text)) return 0;
  if (text.length > 64 || !GO_DURATION.test(text)) return undefined;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/([\d.]+)([a-zµμ]+)/g)) {
    total += Number(amount) * Number(GO_UNITS_MS[String(unit)]);
  }
  if (total >= GO_MAX_MS) return undefined;
  return text.startsWith('-') ? -total : total;
}

/** Formats as Go does, because stock clients compare the text: 720 h is `720h0m0s`, 1.5 s is `1.5s`. */
export function formatGoDuration(ms: number): string {
  const sign = ms < 0 ? '-' : '';
  // Rounded once, before it is split into parts, so that no part can round up to 60.
  const abs = Number.isInteger(ms) ? Math.abs(ms) : Math.round(Math.abs(ms) * 1e6) / 1e6;
  if (abs === 0) return '0s';
  if (abs < 0.001) return `${sign}${trim(abs * 1e6)}ns`;
  if (abs < 1) return `${sign}${trim(abs * 1000)}µs`;
  if (abs < 1000) return `${sign}${trim(abs)}ms`;
  const h = Math.floor(abs / 3_600_000);
  const m = Math.floor(abs / 60_000) % 60;
  const s = `${trim((abs % 60_000) / 1000)}s`;
  if (h > 0) return `${sign}${String(h)}h${String(m)}m${s}`;
  return m > 0 ? `${sign}${String(m)}m${s}` : `${sign}${s}`;
}

function trim(value: number): string {
  return String(Number(value.toFixed(9)));
}
