import type { LogFields } from '../../../base/index.ts';

export type Level = 'debug' | 'info' | 'warning' | 'error';

const PLAIN = /^[A-Za-z0-9\-._/@^+]+$/;

/** One line in the format of Velero's own logs, so that tools and people can read both. */
export function logfmtLine(time: number, level: Level, message: string, fields: LogFields): string {
  const stamp = new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');
  const pairs = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${valueOf(value)}`);
  return [`time="${stamp}"`, `level=${level}`, `msg=${JSON.stringify(message)}`, ...pairs].join(' ');
}

function valueOf(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value, bigintAsText) ?? 'null');
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}
