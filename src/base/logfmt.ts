import type { LogFields } from './log.ts';

export type Level = 'debug' | 'info' | 'warning' | 'error';

const MILLISECONDS = '.000Z';
const PLAIN = /^[A-Za-z0-9\-._/@^+]+$/;

/** One line in the format of Velero's own logs, so that tools and people can read both. */
export function logfmtLine(time: number, level: Level, message: string, fields: LogFields): string {
  const stamp = new Date(time).toISOString().slice(0, -MILLISECONDS.length);
  let line = `time="${stamp}Z" level=${level} msg=${JSON.stringify(message)}`;
  for (const key of Object.keys(fields)) {
    const value = fields[key];
    if (value !== undefined) line += ` ${key}=${valueOf(value)}`;
  }
  return line;
}

/** The message of a line that only passes on what a program of the user printed, in its field `line`. */
export const PRINTED = 'output';

export interface LogfmtLine {
  /** Milliseconds since 1970. */
  time: number;
  level: string;
  message: string;
  fields: Readonly<Record<string, string>>;
}

const PAIR = /([\w-]{1,64})=("(?:[^"\\]|\\.)*"|[A-Za-z0-9\-._/@^+]*)(?: |$)/y;

/** A line as `logfmtLine` writes it; undefined for any other text. */
export function readLogfmt(text: string): LogfmtLine | undefined {
  const pairs: Record<string, string> = {};
  for (PAIR.lastIndex = 0; PAIR.lastIndex < text.length;) {
    const [, key, value = ''] = PAIR.exec(text) ?? [];
    if (key === undefined) return undefined;
    const read = value.startsWith('"') ? unquoted(value) : value;
    if (read === undefined) return undefined;
    pairs[key] = read;
  }
  const { time, level, msg, ...fields } = pairs;
  if (time === undefined || level === undefined || msg === undefined || Number.isNaN(Date.parse(time)))
    return undefined;
  return { time: Date.parse(time), level, message: msg, fields };
}

function unquoted(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    // Somebody else's text between quotes.
    return undefined;
  }
}

function valueOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, bigintAsText) ?? 'null');
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
