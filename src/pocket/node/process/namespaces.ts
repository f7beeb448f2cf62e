import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, messageOf } from '../../../base/index.ts';
import type { Programs } from '../machine/index.ts';
import { makeRoot, type LayerKind } from '../root/index.ts';
import { conversationOf } from './conversation.ts';
import { LAUNCH_SCRIPT } from './launch-script.ts';
import type { Pipes } from './pipes.ts';
import { childrenOf, signalProcess, treeOf } from './process-tree.ts';
import type { ContainerProcess, ContainerSpec, Conversation, Guard, RunOptions, Sandbox } from './sandbox.ts';
import { spawnPiped, type Exit, type Spawned } from './spawn.ts';
import { onTerminal } from './terminal.ts';
import { becomeWords, enterWords, unshareWords, type Privilege } from './words.ts';

export interface NamespaceDeps {
  programs: Programs;
  pipes: Pipes;
  privilege: Privilege;
  layer: LayerKind;
  guard: Guard;
}

const BECOMES_EVERY_MS = 2;
const BECOMES_WITHIN_MS = 200;

/** Containers as processes in namespaces of their own, with a root of overlays. */
export class NamespaceSandbox implements Sandbox {
  readonly kind = 'namespaces';
  readonly #deps: NamespaceDeps;

  constructor(deps: NamespaceDeps) {
    this.#deps = deps;
  }

  async start(spec: ContainerSpec): Promise<ContainerProcess> {
    const { programs, pipes, privilege, layer, guard } = this.#deps;
    const workingDir = makeRoot({ ...spec, layer, isRoot: privilege === 'root' });
    const inside = { programs, privilege, ...spec, hasPrograms: spec.base.kind === 'machine' };
    const tools = [programs.path('mount'), programs.path('hostname')];
    const words = [
      ...unshareWords({ programs, privilege }),
      ...[programs.path('sh'), '-c', LAUNCH_SCRIPT, 'headway-pod', spec.dir, spec.hostname, layer, ...tools],
      ...becomeWords(inside, workingDir, spec.command),
    ];
    const spawned = await spawnPiped(pipes, {
      words: spec.isTerminal ? onTerminal(programs, words, true) : words,
      env: environmentOf(spec),
      hasInput: spec.hasInput,
      hasErrors: !spec.isTerminal,
      hasReport: true,
    });
    // Its own number comes later, perhaps too late: as another user it does not die with us.
    if (spawned.child.pid !== undefined) guard.watch(-spawned.child.pid, spawned.ended);
    const launch = new Launch(spawned, launchers(programs), guard);
    const others = new Set<number>();
    const run = async (options: RunOptions): Promise<Conversation> => {
      const { first } = launch;
      const holder = first === undefined ? undefined : parentOf(first);
      if (first === undefined || holder === undefined) throw new AppError('invalid', 'the container does not run');
      const entering = enterWords(inside, { first, holder, workingDir }, options.command);
      const entered = await spawnPiped(pipes, {
        words: options.isTerminal ? onTerminal(programs, entering) : entering,
        env: environmentOf({ ...spec, isTerminal: options.isTerminal }),
        hasInput: options.hasInput,
        hasErrors: !options.isTerminal,
      });
      const { pid } = entered.child;
      if (pid !== undefined) others.add(pid);
      entered.ended.finally(() => others.delete(pid ?? 0)).catch(() => undefined);
      return conversationOf(entered, programs, options.isTerminal);
    };
    return {
      ...conversationOf(spawned, programs, spec.isTerminal),
      ended: launch.ended,
      up: launch.up,
      signal: (signal) => {
        if (launch.first !== undefined) signalProcess(launch.first, signal);
      },
      kill: () => {
        // Its namespace ends with it, and everybody in there.
        if (launch.first !== undefined) signalProcess(launch.first, 'SIGKILL');
        else for (const pid of treeOf([spawned.child.pid ?? 0], 100)) signalProcess(pid, 'SIGKILL');
      },
      run,
      processes: (limit) =>
        launch.first === undefined ? [] : treeOf([launch.first, ...[...others].flatMap(childrenOf)], limit),
    };
  }
}

function environmentOf({ env, isTerminal }: Pick<ContainerSpec, 'env' | 'isTerminal'>): Record<string, string> {
  return isTerminal ? { TERM: 'xterm', ...env } : { ...env };
}

function launchers(programs: Programs): Set<string> {
  return new Set((['setpriv', 'unshare', 'chroot'] as const).map((name) => programs.path(name)));
}

/** It cannot end as its child did, and says so. */
const KILLED = /^unshare: sigprocmask unblock failed/;
const KILLED_CODE = 137;
const MAX_SAID = 1000;

/** The way of a container from its launcher to its own program, and to its end. */
class Launch {
  readonly up: Promise<void>;
  readonly ended: Promise<Exit>;
  /** The first process of the container, as this machine numbers it; undefined before and after. */
  first: number | undefined;
  readonly #guard: Guard;
  readonly #launchers: ReadonlySet<string>;
  #said = '';

  constructor({ report, ended }: Spawned, launchers: ReadonlySet<string>, guard: Guard) {
    this.#guard = guard;
    this.#launchers = launchers;
    const { promise: started, resolve, reject } = Promise.withResolvers<undefined>();
    const followed = this.#follow(report, ended, resolve).catch(reject);
    this.up = started.then(() => this.#become());
    this.ended = ended.then(async (exit) => {
      this.first = undefined;
      await followed;
      reject(new AppError('invalid', `its launcher ended before the program was started: ${this.#said.trim()}`));
      return KILLED.test(this.#said) ? { code: KILLED_CODE } : exit;
    });
    this.ended.catch((error: unknown) => {
      reject(new AppError('invalid', `its launcher could not be started: ${messageOf(error)}`, { cause: error }));
    });
    this.up.catch(() => undefined);
  }

  async #follow(
    report: Readable | undefined,
    ended: Promise<unknown>,
    onStarted: (value: undefined) => void,
  ): Promise<void> {
    if (report === undefined) return;
    for await (const line of createInterface({ input: report })) {
      const [word = '', ...rest] = line.split(' ');
      if (word === 'pid') {
        this.first = Number(rest[0]);
        this.#guard.watch(this.first, ended);
      } else if (word === 'failed') {
        throw new AppError('invalid', `its root could not be mounted: ${rest.join(' ').trim()}`);
      } else if (word === 'started') onStarted(undefined);
      else if (this.#said.length < MAX_SAID) this.#said += `${line}\n`;
    }
  }

  /** What was started are words that end in the program; until then the process is not the container's. */
  async #become(): Promise<void> {
    const { first } = this;
    if (first === undefined) return;
    for (let waited = 0; waited < BECOMES_WITHIN_MS; waited += BECOMES_EVERY_MS) {
      const [program = '', , script] = wordsOf(first);
      if (!this.#launchers.has(program) && script !== LAUNCH_SCRIPT) return;
      await delay(BECOMES_EVERY_MS);
    }
  }
}

function wordsOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  } catch {
    return []; // Over already.
  }
}

/** The process that waits for it; undefined when it is over already. */
function parentOf(pid: number): number | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program comes before, in brackets, and may have anything in it.
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    return undefined;
  }
}
