import { spawn, type ChildProcess } from 'node:child_process';

/**
 * Waits for us to end, whatever ends us, and then ends the processes it was told of. What has hidden behind other
 * process groups is found by its environment.
 */
const SCRIPT = `
mark=$1 pids=' '
while read -r sign pid; do
  case $sign in
    +) pids="$pids$pid " ;;
    -) case $pids in *" $pid "*) pids="\${pids%% "$pid" *} \${pids#* "$pid" }" ;; esac ;;
  esac
done
for pid in $pids; do kill -9 "$pid" 2>/dev/null; done
for round in 1 2 3; do
  for file in $(grep -lz "^$mark" /proc/[0-9]*/environ 2>/dev/null); do
    pid=\${file#/proc/}
    kill -9 "\${pid%/environ}" 2>/dev/null
  done
done
`;

/** A process that outlives this one for a moment, so that a kill of this one leaves nothing behind. */
export class Shepherd {
  readonly #child: ChildProcess;

  /** `mark` is what a line of the environment of everything that is ours begins with. */
  constructor(sh: string, mark: string) {
    this.#child = spawn(sh, ['-c', SCRIPT, 'headway-shepherd', mark], {
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
      env: { PATH: '/usr/bin:/bin' },
    });
    // One that cannot be started, or was killed, is missed when we are killed too, and not before.
    this.#child.on('error', () => undefined);
    this.#child.stdin?.on('error', () => undefined);
    this.#child.unref();
  }

  /** A negative number is a group of processes. */
  watch(pid: number, ended: Promise<unknown>): void {
    this.#tell('+', pid);
    const forget = (): void => {
      this.#tell('-', pid);
    };
    ended.then(forget, forget);
  }

  /** It ends what it still knows. */
  close(): void {
    this.#child.stdin?.end();
  }

  #tell(sign: '+' | '-', pid: number): void {
    if (this.#child.stdin?.writable === true) this.#child.stdin.write(`${sign} ${pid}\n`);
  }
}
