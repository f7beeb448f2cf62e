import type { Programs } from '../machine/index.ts';
import { signalProcess, treeOf } from './process-tree.ts';
import type { Conversation } from './sandbox.ts';
import type { Spawned } from './spawn.ts';
import { TerminalSize } from './terminal.ts';

const MAX_KILLED = 10_000;

export function conversationOf(spawned: Spawned, programs: Programs, isTerminal: boolean): Conversation {
  const { child, input, output, errors, ended } = spawned;
  const size = isTerminal ? new TerminalSize(programs.path('stty'), child.pid ?? 0) : undefined;
  return {
    input,
    output,
    errors,
    ended,
    resize: (columns, rows) => size?.set(columns, rows),
    kill: () => {
      for (const pid of treeOf([child.pid ?? 0], MAX_KILLED).toReversed()) signalProcess(pid, 'SIGKILL');
    },
  };
}
