export interface LogLine {
  /** Counts from the first line on, also past those that were dropped. */
  number: number;
  text: string;
  level: 'error' | 'warning' | 'other';
}

export interface LogBuffer {
  lines: readonly LogLine[];
  /** An unfinished line. */
  rest: string;
  next: number;
}

/** More than a person reads and less than a browser minds; the whole file can be downloaded. */
const MAX_LINES = 20_000;

export const EMPTY_LOG: LogBuffer = { lines: [], rest: '', next: 1 };

export function appendLog(buffer: LogBuffer, piece: string): LogBuffer {
  const texts = (buffer.rest + piece).split('\n');
  const rest = texts.pop() ?? '';
  if (texts.length === 0) return { ...buffer, rest };
  const added = texts.map((text, at) => ({ number: buffer.next + at, text, level: levelOf(text) }));
  return { lines: [...buffer.lines, ...added].slice(-MAX_LINES), rest, next: buffer.next + added.length };
}

const ENTRY = /^time="([^"]*)" level=(\w+) msg="((?:[^"\\]|\\.)*)" ?(.*)$/;

/** For people: the time of day, what happened, then the fields; a line of another form stays as it is. */
export function readable(text: string, clock: (time: string) => string): string {
  const [, time, level = '', message = '', fields = ''] = ENTRY.exec(text) ?? [];
  if (time === undefined) return text;
  const said = message.replaceAll(/\\(.)/g, '$1');
  return [clock(time), level === 'info' ? '' : level, said, fields].filter((part) => part !== '').join('  ');
}

function levelOf(text: string): LogLine['level'] {
  const level = /\blevel=(\w+)/.exec(text)?.[1];
  if (level === 'error' || level === 'fatal' || level === 'panic') return 'error';
  return level === 'warning' || level === 'warn' ? 'warning' : 'other';
}

/** Every word has to be in the line, in any order and case. */
export function searchLog(lines: readonly LogLine[], query: string): readonly LogLine[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return lines;
  return lines.filter(({ text }) => {
    const lower = text.toLowerCase();
    return words.every((word) => lower.includes(word));
  });
}
