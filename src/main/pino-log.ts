import { pino, type Logger } from 'pino';
import type { Log, LogFields } from '../base/index.ts';

/** The Log port on pino: JSON lines on standard error, because standard output is for results. */
export function pinoLog(fields: LogFields, level = 'info'): Log {
  return wrap(pino({ level, base: null }, pino.destination({ fd: 2, sync: true })).child(fields));
}

function wrap(logger: Logger): Log {
  return {
    debug: (message, fields) => {
      logger.debug(fields, message);
    },
    info: (message, fields) => {
      logger.info(fields, message);
    },
    warn: (message, fields) => {
      logger.warn(fields, message);
    },
    error: (message, fields) => {
      logger.error(fields, message);
    },
    child: (fields) => wrap(logger.child(fields)),
  };
}
