import { randomBytes } from 'node:crypto';
import { AppError, isAppError, isObject, parseJson, textAt } from '../base/index.ts';
import type { ServerRequest } from '../cli/index.ts';
import { isProof } from './serve/proof.ts';
import type { ServerRecord } from './serve/server-records.ts';
import { ask } from './server-request.ts';

const PROOF_WITHIN_MS = 5000;

/** Whoever listens at the recorded address now may be another program, and must not get the user's token. */
export async function mustProve({ proofKey }: ServerRecord, base: URL, deadline: AbortSignal): Promise<void> {
  const nonce = randomBytes(32).toString('base64url');
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(PROOF_WITHIN_MS)]);
  const request: ServerRequest = { method: 'GET', path: '/api/proof', query: { nonce } };
  const text = await ask(base, request, { headers: {}, signal }).then(
    (answer) => answer.text(),
    (error: unknown) => {
      // Nothing there is told as it is; any other answer is no proof.
      if (isAppError(error, 'unreachable', 'timeout', 'canceled')) throw error;
      return '';
    },
  );
  if (isProof(proofKey, nonce, proofIn(text))) return;
  throw new AppError(
    'untrusted',
    `the server at ${base.origin} cannot prove that it is the Headway server that was started here`,
    {
      details: { hint: 'Nothing was sent to it. Start the server again, or name one with --server URL' },
    },
  );
}

function proofIn(text: string): string {
  try {
    const parsed = parseJson(text);
    return (isObject(parsed) ? textAt(parsed, 'proof') : undefined) ?? '';
  } catch {
    // Another program's answer.
    return '';
  }
}
