import type { WriteStream } from 'node:tty';
import type { Output } from '../cli/index.ts';

type Stream = NodeJS.WritableStream & Partial<Pick<WriteStream, 'isTTY' | 'columns' | 'rows'>>;

/** A terminal that nobody has told its size (`script`, some containers) says 0. */
function told(size: number | undefined): number | undefined {
  return size === 0 ? undefined : size;
}

export function terminalOutput(out: Stream, err: Stream, env: NodeJS.ProcessEnv = {}): Output {
  // `headway … | head` closes the pipe early, and a window is closed with what runs in it (EIO); both are the reader's
  // right and no error of ours.
  for (const stream of [out, err]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
    });
  }
  return {
    out: (text) => void out.write(text),
    err: (text) => void err.write(text),
    isTerminal: out.isTTY === true && env['TERM'] !== 'dumb',
    // https://no-color.org: any value but an empty one.
    hasColor: out.isTTY === true && env['TERM'] !== 'dumb' && (env['NO_COLOR'] ?? '') === '',
    // Asked anew each time: people resize their windows.
    get columns() {
      return told(out.columns) ?? 80;
    },
    get rows() {
      return told(out.rows);
    },
  };
}
