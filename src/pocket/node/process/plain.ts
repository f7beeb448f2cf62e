import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf } from '../../../base/index.ts';
import type { Programs } from '../machine/index.ts';
import { conversationOf } from './conversation.ts';
import { withPaths, type Moved } from './path-words.ts';
import type { Pipes } from './pipes.ts';
import { markedProcesses, signalProcess, treeOf } from './process-tree.ts';
import type { ContainerProcess, ContainerSpec, Conversation, Guard, RunOptions, Sandbox } from './sandbox.ts';
import { spawnPiped, type Spawned } from './spawn.ts';
import { onTerminal } from './terminal.ts';

export interface PlainDeps {
  programs: Programs;
  pipes: Pipes;
  /** A variable that everything has which is started here. */
  mark: readonly [name: string, value: string];
  guard: Guard;
}

/** Containers as ordinary processes, where the machine has no namespaces for us. Paths in their words are replaced. */
export class PlainSandbox implements Sandbox {
  readonly kind = 'plain';
  readonly #deps: PlainDeps;
  #started = 0;

  constructor(deps: PlainDeps) {
    this.#deps = deps;
  }

  async start(spec: ContainerSpec): Promise<ContainerProcess> {
    const { programs, guard, mark } = this.#deps;
    if (spec.base.kind === 'folder') throw new AppError('unsupported', 'a folder cannot be a root without namespaces');
    const others = new Set<number>();
    // Paths that others use as well are its own here too.
    const tmp = join(spec.dir, 'tmp');
    mkdirSync(tmp, { recursive: true });
    const moved = [...spec.binds, { target: '/tmp', source: tmp }];
    const own = [mark[0], `${mark[1]}/${(this.#started += 1)}`] as const;
    const start = async (words: readonly string[], how: Omit<RunOptions, 'command'>): Promise<Spawned> => {
      const spawned = await this.#spawn({ spec, mark: own, moved }, words, how);
      const { pid } = spawned.child;
      if (pid !== undefined) {
        others.add(pid);
        guard.watch(-pid, spawned.ended);
      }
      spawned.ended.finally(() => others.delete(pid ?? 0)).catch(() => undefined);
      return spawned;
    };
    const first = await start(spec.command, spec);
    const end = (): void => {
      for (const pid of treeOf([...others], MAX_KILLED).toReversed()) signalProcess(pid, 'SIGKILL');
      signalProcess(-(first.child.pid ?? 0), 'SIGKILL');
      for (const pid of markedProcesses(own.join('='))) signalProcess(pid, 'SIGKILL');
    };
    // What it has left in the background ends with it, as it would in a namespace.
    first.ended.then(end, end);
    return {
      ...conversationOf(first, programs, spec.isTerminal),
      up: new Promise((resolve, reject) => {
        first.child.once('spawn', resolve);
        first.child.once('error', (error) => {
          reject(new AppError('invalid', messageOf(error), { cause: error }));
        });
      }),
      signal: (signal) => {
        signalProcess(first.child.pid ?? 0, signal);
      },
      kill: end,
      run: async (options): Promise<Conversation> =>
        conversationOf(await start(options.command, options), programs, options.isTerminal),
      processes: (limit) => treeOf([...others], limit),
    };
  }

  #spawn({ spec, mark, moved }: Place, words: readonly string[], how: Omit<RunOptions, 'command'>): Promise<Spawned> {
    const { programs, pipes } = this.#deps;
    const env = Object.entries(spec.env).map(([name, value]) => [name, withPaths(value, moved)] as const);
    const here = [
      ...(programs.has('setpriv') ? [programs.path('setpriv'), '--pdeathsig', 'KILL', '--'] : []),
      ...words.map((word) => withPaths(word, moved)),
    ];
    const workingDir = withPaths(spec.workingDir, moved);
    return spawnPiped(pipes, {
      words: how.isTerminal ? onTerminal(programs, here) : here,
      env: {
        ...(how.isTerminal ? { TERM: 'xterm' } : {}),
        ...Object.fromEntries([...env, mark]),
        POCKET_ROOT: spec.dir,
      },
      cwd: isFolder(workingDir) ? workingDir : spec.dir,
      hasInput: how.hasInput,
      hasErrors: !how.isTerminal,
    });
  }
}

interface Place {
  spec: ContainerSpec;
  mark: readonly [name: string, value: string];
  moved: readonly Moved[];
}

const MAX_KILLED = 10_000;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}
