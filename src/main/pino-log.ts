import { pino, type Logger } from 'pino';
import { escapeHidden, type Log, type LogFields } from '../base/index.ts';

/** What may wait for a disk that is full; further lines are dropped. */
const MAX_UNWRITTEN = 64 * 1024;

const STANDARD_ERROR = 2;

/** The Log port on pino: JSON lines on standard error, because standard output is for results; or at the end of a file. */
export function pinoLog(fields: LogFields, level = 'info', to: number | string = STANDARD_ERROR): Log {
  const destination = pino.destination({ dest: to, mkdir: true, mode: 0o600, sync: true, maxLength: MAX_UNWRITTEN });
  // A full disk, or a reader that went away, costs lines of the log and not the process that writes them.
  destination.on('error', () => undefined);
  // People read it in a terminal, and much of it is text of others.
  const hooks = { streamWrite: escapeHidden };
  return wrap(pino({ level, base: null, hooks }, destination).child(fields));
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
