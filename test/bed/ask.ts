import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

interface Question {
  caPem?: string;
  token?: string;
  timeoutMs?: number;
}

interface Reply {
  status: number;
  body: string;
}

const TIMEOUT_MS = 2000;

/** One GET on a fresh connection; undefined when nobody answered. A plain probe, not a client. */
export async function ask(url: string, question: Question = {}): Promise<Reply | undefined> {
  const request = url.startsWith('https:') ? httpsRequest : httpRequest;
  const headers = question.token === undefined ? {} : { authorization: `Bearer ${question.token}` };
  const signal = AbortSignal.timeout(question.timeoutMs ?? TIMEOUT_MS);
  return await new Promise((resolve) => {
    const sent = request(url, { agent: false, headers, signal, ...(question.caPem && { ca: question.caPem }) });
    // Refused, reset or timed out: the server is not there yet, which is what the caller asks about.
    sent.on('error', () => {
      resolve(undefined);
    });
    sent.on('response', (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (body += chunk));
      response.on('end', () => {
        resolve({ status: response.statusCode ?? 0, body });
      });
      response.on('error', () => {
        resolve(undefined);
      });
    });
    sent.end();
  });
}
