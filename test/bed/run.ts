import { spawn } from 'node:child_process';

interface RunOptions {
  args: readonly string[];
  env?: Readonly<Record<string, string>>;
  input?: string;
  timeoutMs?: number;
  signal?: AbortSignal;
}

const TIMEOUT_MS = 60_000;

/** Runs a program to its end and returns what it printed; a failure says what it printed to stderr. */
export async function run(program: string, options: RunOptions): Promise<string> {
  const deadline = AbortSignal.timeout(options.timeoutMs ?? TIMEOUT_MS);
  const signal = options.signal ? AbortSignal.any([options.signal, deadline]) : deadline;
  const child = spawn(program, options.args, {
    env: { ...process.env, ...options.env },
    stdio: ['pipe', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (errors += chunk));
  // A program that ends without reading its input is judged by its exit code.
  child.stdin.on('error', () => undefined);
  child.stdin.end(options.input ?? '');
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === 0) return output;
  throw new Error(`run ${program} ${options.args.join(' ')}: exit ${code ?? 'by signal'}\n${errors.trim()}`);
}
