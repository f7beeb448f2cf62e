import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/** Where all state lives: $HEADWAY_HOME, else the XDG state directory. Absolute, because it is printed for other programs. */
export function homeDirectory(env: NodeJS.ProcessEnv): string {
  if (env['HEADWAY_HOME'] !== undefined && env['HEADWAY_HOME'] !== '') return resolve(env['HEADWAY_HOME']);
  const state = env['XDG_STATE_HOME'];
  const base = state !== undefined && state.startsWith('/') ? state : join(homedir(), '.local', 'state');
  return join(base, 'headway');
}
