import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import { dirname, isAbsolute, resolve } from 'node:path';
import { AppError, messageOf, parseJson, type Clock } from '../../../base/index.ts';
import { bearer, cachedCredential, type Credential, type CredentialSource, type Issued } from './credentials.ts';
import { Fields } from './fields.ts';
import type { Entry } from './kubeconfig-file.ts';
import type { Environment } from './proxy.ts';

const MAX_OUTPUT = 1024 * 1024;
// A token is renewed this long before it expires, so that it does not expire in transit.
const LEEWAY_MS = 10_000;

/** What a plugin is told about the cluster if its entry says `provideClusterInfo`. */
export interface ClusterInfo {
  server: string;
  ca?: string;
  insecure: boolean;
  serverName?: string;
}

/**
 * A user whose credential comes from a command (client.authentication.k8s.io). Run by us and not by client-node, which
 * sets no time limit for the command and does not pass it KUBERNETES_EXEC_INFO.
 */
export function execCredential(
  deps: { clock: Clock; env: Environment },
  user: Entry,
  cluster: ClusterInfo,
): CredentialSource {
  const exec = user.fields.child('exec');
  const command = exec.text('command');
  if (command === undefined) throw new AppError('invalidConfig', `${exec.where} names no command`);
  const apiVersion = exec.text('apiVersion') ?? 'client.authentication.k8s.io/v1';
  const asked = {
    kind: 'ExecCredential',
    apiVersion,
    spec: { interactive: false, ...(exec.flag('provideClusterInfo') ? { cluster: describe(cluster) } : {}) },
  };
  const env: Record<string, string | undefined> = { ...deps.env };
  for (const item of exec.list('env')) {
    const pair = new Fields(item, `env of ${exec.where}`);
    env[pair.text('name') ?? ''] = pair.text('value') ?? '';
  }
  env['KUBERNETES_EXEC_INFO'] = JSON.stringify(asked);
  const run: Run = {
    // A command with a slash is relative to the file that names it, as in client-go.
    command: command.includes('/') && !isAbsolute(command) ? resolve(dirname(user.file), command) : command,
    args: exec.texts('args'),
    env,
    where: exec.where,
    hint: exec.text('installHint'),
  };
  return cachedCredential(deps.clock, async (signal) => readCredential(await runPlugin(run, signal), run));
}

interface Run {
  command: string;
  args: string[];
  env: Record<string, string | undefined>;
  where: string;
  hint: string | undefined;
}

function describe(cluster: ClusterInfo): Record<string, unknown> {
  return {
    server: cluster.server,
    'insecure-skip-tls-verify': cluster.insecure,
    ...(cluster.serverName === undefined ? {} : { 'tls-server-name': cluster.serverName }),
    ...(cluster.ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(cluster.ca).toString('base64') }),
  };
}

async function runPlugin(run: Run, signal: AbortSignal): Promise<string> {
  const child = spawn(run.command, run.args, {
    env: run.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
  });
  // A plugin that nobody waits for any more must not keep the process alive.
  child.unref();
  for (const pipe of [child.stdout, child.stderr]) (pipe as Socket).unref();
  const read = async (stream: AsyncIterable<Buffer>): Promise<string> => {
    let text = '';
    for await (const chunk of stream) if (text.length < MAX_OUTPUT) text += chunk.toString('utf8');
    return text;
  };
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  try {
    const [stdout, stderr, code] = await Promise.all([read(child.stdout), read(child.stderr), ended]);
    if (code === 0) return stdout;
    throw new AppError(
      'unauthenticated',
      failure(run, `ended with code ${String(code)}: ${stderr.trim().slice(0, 500)}`),
    );
  } catch (error) {
    if (error instanceof AppError) throw error;
    if (signal.aborted) throw new AppError('timeout', failure(run, 'did not end in time'), { cause: error });
    throw new AppError('invalidConfig', failure(run, `cannot be run: ${messageOf(error)}`), { cause: error });
  } finally {
    // Processes that the plugin started may outlive it and keep the pipes open.
    child.stdout.destroy();
    child.stderr.destroy();
  }
}

function failure(run: Run, what: string): string {
  return `${run.where}: the command ${run.command} ${what}${run.hint === undefined ? '' : `; hint: ${run.hint}`}`;
}

function readCredential(stdout: string, run: Run): Issued {
  let parsed: unknown;
  try {
    parsed = parseJson(stdout);
  } catch {
    // The parser's message would quote the output, which may be a token.
    throw new AppError('unauthenticated', failure(run, 'printed no JSON, expected an ExecCredential'));
  }
  const status = new Fields(parsed, `the output of ${run.command} for ${run.where}`).child('status');
  const token = status.text('token');
  const cert = status.text('clientCertificateData');
  const key = status.text('clientKeyData');
  if (token === undefined && cert === undefined) {
    throw new AppError('unauthenticated', failure(run, 'gave neither a token nor a client certificate'));
  }
  const credential: Credential = {
    headers: token === undefined ? {} : bearer(token),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
  };
  const expires = Date.parse(status.text('expirationTimestamp') ?? '');
  return { credential, until: Number.isNaN(expires) ? Infinity : expires - LEEWAY_MS };
}
