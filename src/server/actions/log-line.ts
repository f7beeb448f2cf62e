import { cleanText, logfmtLine, maskSecrets, type Level } from '../../base/index.ts';
import type { SetPhase } from './set-phases.ts';

const MAX_LENGTH = 8192;

export interface LineFields {
  phase?: Pick<SetPhase, 'name' | 'action'> | undefined;
  /** `namespace/name` */
  pod?: string | undefined;
  /** The same for a command that was run inside of it. */
  exec?: string | undefined;
  reason?: string | undefined;
}

/**
 * One line of an action set's log, in the format of the other logs. What programs print is somebody else's text: only
 * what a terminal would show at last of a line that it writes over, without control characters, and with secrets masked
 * as far as something announces them.
 */
export function setLine(time: number, level: Level, text: string, { phase, pod, exec, reason }: LineFields): string {
  const shown = text.split('\r').findLast((piece) => piece.trim() !== '') ?? '';
  const fields = { phase: phase?.name, action: phase?.action, pod, exec, reason };
  const known = Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const clean = Object.fromEntries(known.map(([key, value]) => [key, cleanText(value)]));
  return `${logfmtLine(time, level, cleanText(maskSecrets(shown), MAX_LENGTH), clean)}\n`;
}
