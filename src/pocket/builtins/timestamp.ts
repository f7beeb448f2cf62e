/** Times as Go reads and writes them: RFC 3339 in, UTC with whole seconds (or six digits) out. */
export type ParsedTime = { text: string } | { error: string };

const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00';
const MICROS_LAYOUT = '2006-01-02T15:04:05.000000Z07:00';

/** The layout's pieces in order, so that an error can name the first that does not fit. */
const PIECES: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['2006', /^\d{4}/],
  ['-', /^-/],
  ['01', /^\d{2}/],
  ['-', /^-/],
  ['02', /^\d{2}/],
  ['T', /^T/],
  ['15', /^\d{1,2}/],
  [':', /^:/],
  ['04', /^\d{2}/],
  [':', /^:/],
  ['05', /^\d{2}(?:[.,]\d+)?/],
  ['Z07:00', /^(?:Z|[+-]\d{2}:\d{2})/],
];
const RANGES = [
  ['month', 1, 12],
  ['day', 1, 31],
  ['hour', 0, 23],
  ['minute', 0, 59],
  ['second', 0, 59],
] as const;

const pad = (value: number, width: number): string => String(value).padStart(width, '0');

/** Undefined when the year has no four digits, which RFC 3339 cannot write. */
export function formatTime(seconds: number, micros?: number): string | undefined {
  const date = new Date(seconds * 1000);
  const year = date.getUTCFullYear();
  if (!(year >= 0 && year <= 9999)) return undefined;
  const whole = date.toISOString().slice(0, 19);
  return micros === undefined ? `${whole}Z` : `${whole}.${pad(micros, 6)}Z`;
}

function split(text: string, layout: string): string[] | { error: string } {
  const found: string[] = [];
  let rest = text;
  for (const [name, pattern] of PIECES) {
    const match = pattern.exec(rest);
    const isFractionMissing =
      name === '05' && layout === MICROS_LAYOUT && match !== null && !/[.,]\d{6}$/.test(match[0]);
    if (!match || isFractionMissing) {
      const at = isFractionMissing ? rest.slice(2) : rest;
      const expected = isFractionMissing ? '.000000' : name;
      return { error: `parsing time ${JSON.stringify(text)} as "${layout}": cannot parse "${at}" as "${expected}"` };
    }
    found.push(match[0]);
    rest = rest.slice(match[0].length);
  }
  return rest === '' ? found : { error: `parsing time ${JSON.stringify(text)}: extra text: ${JSON.stringify(rest)}` };
}

function offsetMinutes(zone: string): number {
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}

function parse(text: string, layout: string): ParsedTime {
  const pieces = split(text, layout);
  if ('error' in pieces) return pieces;
  const [year = '', , month = '', , day = '', , hour = '', , minute = '', , second = '', zone = ''] = pieces;
  const values = [month, day, hour, minute, second].map((piece) => Math.trunc(Number(piece.replace(',', '.'))));
  const wrong = RANGES.find(([, low, high], index) => !((values[index] ?? -1) >= low && (values[index] ?? 99) <= high));
  const outOfRange = (what: string): ParsedTime => ({
    error: `parsing time ${JSON.stringify(text)}: ${what} out of range`,
  });
  if (wrong) return outOfRange(wrong[0]);
  const iso = `${year}-${month}-${day}T${hour.padStart(2, '0')}:${minute}:${second.slice(0, 2)}Z`;
  const seconds = Date.parse(iso) / 1000;
  if (Number.isNaN(seconds) || new Date(seconds * 1000).getUTCDate() !== Number(day)) return outOfRange('day');
  const micros = layout === MICROS_LAYOUT ? Number(second.slice(3, 9)) : undefined;
  const written = formatTime(seconds - offsetMinutes(zone) * 60, micros);
  return written === undefined ? outOfRange('year') : { text: written };
}

export const parseTime = (text: string): ParsedTime => parse(text, SECONDS_LAYOUT);
export const parseMicroTime = (text: string): ParsedTime => parse(text, MICROS_LAYOUT);
