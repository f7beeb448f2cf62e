/** One of the five fields of a cron line: which numbers it names, and whether it was left open with `*` or `?`. */
export interface CronField {
  values: ReadonlySet<number>;
  isOpen: boolean;
}

export interface FieldBounds {
  name: string;
  min: number;
  max: number;
  words?: Readonly<Record<string, number>>;
  /** The number of values after which the field starts over. If set, a range may wrap around the end. */
  cycle?: number;
}

const numbered = (first: number, words: string): Record<string, number> =>
  Object.fromEntries(words.split(' ').map((word, index) => [word, first + index]));

/** In the order of a cron line. */
export const CRON_FIELDS: readonly FieldBounds[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31 },
  { name: 'month', min: 1, max: 12, words: numbered(1, 'jan feb mar apr may jun jul aug sep oct nov dec') },
  { name: 'day of week', min: 0, max: 6, words: numbered(0, 'sun mon tue wed thu fri sat') },
];

/** As in Velero 1.18: ranges such as FRI-MON or 22-2 are allowed, and 7 is also Sunday. */
export const WRAPPING_FIELDS: readonly FieldBounds[] = CRON_FIELDS.map((field) => ({
  ...field,
  max: field.name === 'day of week' ? 7 : field.max,
  cycle: field.max - field.min + 1,
}));

/** Reads `*`, `?`, numbers, words, ranges, steps and lists of them as robfig/cron v3 does. */
export function parseField(text: string, bounds: FieldBounds): CronField | { problem: string } {
  const values = new Set<number>();
  let isOpen = false;
  const parts = text.split(',').filter((part) => part !== '');
  if (parts.length === 0) return { problem: `${bounds.name}: expected a value, got ${JSON.stringify(text)}` };
  for (const part of parts) {
    const range = parseRange(part, bounds);
    if (typeof range === 'string') return { problem: `${bounds.name}: ${range}` };
    for (let value = range.from; value <= range.to; value += range.step) values.add(within(value, bounds));
    isOpen ||= range.isOpen;
  }
  return { values, isOpen };
}

interface Range {
  from: number;
  to: number;
  step: number;
  isOpen: boolean;
}

/** A string result is the problem. */
function parseRange(text: string, bounds: FieldBounds): Range | string {
  const [span = '', stepText, ...moreSteps] = text.split('/');
  if (moreSteps.length > 0) return `too many slashes in "${text}"`;
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (step === undefined) return `expected a number after the slash of "${text}"`;
  if (step === 0) return `the step of "${text}" must not be 0`;
  // With a step it no longer means "any day", which decides how the two day fields are combined.
  if (/^[*?](-|$)/.test(span)) return { from: bounds.min, to: bounds.max, step, isOpen: step === 1 };
  const ends = span.split('-');
  if (ends.length > 2) return `too many hyphens in "${text}"`;
  const wrong = ends.find((end) => parseValue(end, bounds) === undefined);
  if (wrong !== undefined) return expected(bounds, wrong);
  const from = Number(parseValue(String(ends[0]), bounds));
  const last = ends[1] === undefined ? undefined : parseValue(ends[1], bounds);
  const to = last ?? (stepText === undefined ? from : bounds.max);
  if (from <= to) return { from, to, step, isOpen: false };
  if (bounds.cycle === undefined) return `"${text}" ends before it begins`;
  return { from, to: to + bounds.cycle, step, isOpen: false };
}

function within(value: number, { min, cycle }: FieldBounds): number {
  return cycle === undefined ? value : min + ((value - min) % cycle);
}

function expected({ min, max, words }: FieldBounds, text: string): string {
  const names = words === undefined ? '' : ` or ${Object.keys(words).join(', ')}`;
  return `expected ${min} to ${max}${names}, got "${text}"`;
}

function parseValue(text: string, { min, max, words = {} }: FieldBounds): number | undefined {
  const word = text.toLowerCase();
  const value = Object.hasOwn(words, word) ? words[word] : parseNumber(text);
  return value !== undefined && value >= min && value <= max ? value : undefined;
}

function parseNumber(text: string): number | undefined {
  return /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
