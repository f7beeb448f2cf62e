import type { Log, LogFields } from '../../src/base/index.ts';

export interface LogLine {
  level: 'debug' | 'info' | 'warn' | 'error';
  message: string;
  fields: LogFields;
}

/** A Log whose lines a test can read. */
export function recordingLog(lines: LogLine[] = [], bound: LogFields = {}): Log & { lines: LogLine[] } {
  const at =
    (level: LogLine['level']) =>
    (message: string, fields: LogFields = {}): void => {
      lines.push({ level, message, fields: { ...bound, ...fields } });
    };
  return {
    lines,
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (fields) => recordingLog(lines, { ...bound, ...fields }),
  };
}
