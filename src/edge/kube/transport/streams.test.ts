import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../../../../test/eventually.ts';
import { transportTo } from '../../../../test/kube-transport.ts';
import { ScriptedServer, silent, status, Streaming } from '../../../../test/scripted-server/index.ts';
import type { AppError } from '../../../base/index.ts';
import type { Transport } from './transport.ts';

let server: ScriptedServer;
let transport: Transport;
beforeEach(async () => {
  server = await ScriptedServer.start();
  transport = transportTo(server.url);
});
afterEach(async () => {
  await transport.close();
  await server.stop();
});

const GET = { method: 'GET', path: '/api/v1/pods' } as const;

async function failure(promise: Promise<unknown>): Promise<AppError> {
  return promise.then(
    () => expect.unreachable('expected a rejection'),
    (error: unknown) => error as AppError,
  );
}

async function read(stream: { body: AsyncIterable<Uint8Array> }): Promise<string> {
  let text = '';
  for await (const chunk of stream.body) text += Buffer.from(chunk).toString();
  return text;
}

describe('a stream', () => {
  it('gives bytes as they come, uncompressed, and ends with the answer', async () => {
    const script = new Streaming();
    server.push(script.answer);
    const stream = await transport.stream(GET);
    const text = read(stream);
    await script.write('one ');
    await script.write('two');
    await script.end();
    expect(await text).toBe('one two');
    expect(server.requests[0]?.headers['accept-encoding']).toBe('identity');
  });

  it('outlives the deadline, which is for its headers', async () => {
    const script = new Streaming();
    const clock = Date.now();
    server.push(script.answer);
    const stream = await transport.stream({ ...GET, deadlineMs: 100 });
    await eventually(() => {
      expect(Date.now() - clock).toBeGreaterThan(150);
    });
    const text = read(stream);
    await script.write('late');
    await script.end();
    expect(await text).toBe('late');
  });

  it('says when the connection broke', async () => {
    const script = new Streaming();
    server.push(script.answer);
    const stream = await transport.stream(GET);
    await script.write('half');
    await script.kill();
    expect((await failure(read(stream))).code).toBe('unreachable');
  });

  it('rejects with the reason of the signal and drops the connection', async () => {
    const script = new Streaming();
    server.push(script.answer);
    const abort = new AbortController();
    const stream = await transport.stream({ ...GET, signal: abort.signal });
    const text = read(stream);
    await script.write('x');
    const reason = new Error('enough');
    abort.abort(reason);
    await expect(text).rejects.toBe(reason);
    await script.closed;
  });

  it('ends quietly when closed by its reader', async () => {
    const script = new Streaming();
    server.push(script.answer);
    const stream = await transport.stream(GET);
    const text = read(stream);
    stream.close();
    stream.close();
    expect(await text).toBe('');
    await script.closed;
  });

  it('is an error when it does not begin', async () => {
    server.push(status(410, 'Expired', 'too old'));
    expect((await failure(transport.stream(GET))).code).toBe('gone');
    server.push(silent);
    expect((await failure(transport.stream({ ...GET, deadlineMs: 50 }))).code).toBe('timeout');
  });
});
