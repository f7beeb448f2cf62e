import { execFile } from 'node:child_process';
import { AppError, isObject, parseJson, textAt } from '../../../base/index.ts';
import type { Keys } from './keys.ts';

const LIMIT_MS = 60_000;
const MAX_OUTPUT = 64 * 1024;
const WHAT = 'run the credential_process of the credentialsFile';

/**
 * Runs the program and reads the keys it prints. No shell is involved: the command is split into words, which may be
 * quoted.
 */
export async function runCredentialProcess(
  command: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<Keys> {
  const [program = '', ...args] = [...command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, word]) => double ?? single ?? word ?? '',
  );
  const output = await new Promise<string>((resolve, reject) => {
    const options = { env: { ...env }, timeout: LIMIT_MS, maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL' } as const;
    execFile(program, args, options, (error, stdout) => {
      // Neither the output nor the command is shown: both may contain a secret.
      if (error === null) resolve(stdout);
      else reject(new AppError('unauthenticated', `${WHAT}: it failed (${String(error.code ?? error.signal)})`));
    });
  });
  return keysIn(output);
}

function keysIn(output: string): Keys {
  let parsed: unknown;
  try {
    parsed = parseJson(output);
  } catch {
    // The parser's message would quote the output.
    parsed = undefined;
  }
  const json = isObject(parsed) ? parsed : {};
  const accessKeyId = textAt(json, 'AccessKeyId');
  const secretAccessKey = textAt(json, 'SecretAccessKey');
  if (accessKeyId === undefined || secretAccessKey === undefined) {
    throw new AppError('unauthenticated', `${WHAT}: expected JSON with AccessKeyId and SecretAccessKey`);
  }
  const sessionToken = textAt(json, 'SessionToken');
  const expires = textAt(json, 'Expiration');
  return {
    accessKeyId,
    secretAccessKey,
    ...(sessionToken === undefined ? {} : { sessionToken }),
    ...(expires === undefined ? {} : { expiration: new Date(expires) }),
  };
}
