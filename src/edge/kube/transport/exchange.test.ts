import { Pool } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as scripted from '../../../../test/scripted-server/index.ts';
import { startDeadline } from './deadline.ts';
import { exchange, type WholeAnswer } from './exchange.ts';

const { json, killed, Streaming } = scripted;
const MAX_BYTES = 1000;

let server: scripted.ScriptedServer;
let pool: Pool;
beforeEach(async () => {
  server = await scripted.ScriptedServer.start();
  pool = new Pool(server.url, { connections: 1 });
});
afterEach(async () => {
  await pool.destroy();
  await server.stop();
});

async function get(path: string, signal?: AbortSignal): Promise<WholeAnswer> {
  const deadline = startDeadline(60_000, signal);
  try {
    return await exchange(pool, { method: 'GET', path }, { deadline, maxBytes: () => MAX_BYTES });
  } finally {
    deadline.clear();
  }
}

describe('an exchange', () => {
  it('gives the whole answer, whatever its status and in however many pieces it comes', async () => {
    const streaming = new Streaming();
    server.push(json({ no: 1 }, { status: 409 }), streaming.answer);
    const refused = await get('/refused');
    expect([refused.statusCode, refused.body.bytes.toString()]).toEqual([409, '{"no":1}']);
    const whole = get('/pieces');
    for (const piece of ['a', 'b', 'c']) await streaming.write(piece);
    await streaming.end();
    expect((await whole).body.bytes.toString()).toBe('abc');
  });

  it('is never sent when it was given up while it waited for a connection', async () => {
    const first = new Streaming();
    server.push(first.answer, json({ is: 'third' }));
    const running = get('/first');
    await first.opened;
    const reason = new Error('not any more');
    const abort = new AbortController();
    const waiting = get('/second', abort.signal);
    abort.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    const third = get('/third');
    await first.end();
    await running;
    expect((await third).body.bytes.toString()).toBe('{"is":"third"}');
    expect(server.requests.map(({ path }) => path)).toEqual(['/first', '/third']);
  });

  it('closes the connection of an answer that is given up, or longer than it may be', async () => {
    const [given, long] = [new Streaming(), new Streaming()];
    server.push(given.answer, long.answer, json({ is: 'good' }));
    const abort = new AbortController();
    const first = get('/given', abort.signal);
    await given.opened;
    abort.abort(new Error('stop'));
    await expect(first).rejects.toThrow('stop');
    await given.closed;
    const second = get('/long');
    await long.write('x'.repeat(MAX_BYTES + 1));
    await expect(second).rejects.toMatchObject({ code: 'tooLarge' });
    await long.closed;
    expect((await get('/good')).statusCode).toBe(200);
  });

  it('fails with the connection, and when undici refuses the request', async () => {
    server.push(killed);
    await expect(get('/killed')).rejects.toThrow();
    await expect(get('no path')).rejects.toThrow('path must be');
  });
});
