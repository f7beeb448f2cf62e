import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../eventually.ts';

const SERVER = join(import.meta.dirname, '..', '..', 'bench', 'server-cluster.ts');
const MAX_GROWTH_MB = 150;

let serving: ChildProcess;
let lines: Interface;
let url: URL;
const sockets: Socket[] = [];

beforeAll(async () => {
  serving = spawn(process.execPath, [SERVER, '1000', '0'], { stdio: ['pipe', 'pipe', 'inherit'] });
  lines = createInterface({ input: serving.stdout! });
  url = new URL((await line<{ url: string }>()).url);
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  serving.stdin!.end();
  await once(serving, 'exit');
});

async function line<T>(): Promise<T> {
  return JSON.parse(((await once(lines, 'line')) as [string])[0]) as T;
}

async function rssMb(): Promise<number> {
  const answer = line<{ rssMb: number }>();
  serving.stdin!.write('\n');
  return (await answer).rssMb;
}

/** A stream whose reader takes the headers and then nothing more. */
function open(query: string): { status: () => number; text: () => string } {
  const socket = connect(Number(url.port), url.hostname);
  sockets.push(socket);
  let text = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    if (text.includes('text/event-stream')) socket.pause();
  });
  socket.write(`GET /api/events?${query} HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer bench\r\n\r\n`);
  return { status: () => Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0), text: () => text };
}

it('gives one caller a bounded number of different streams, and the next one a clear refusal', async () => {
  const before = await rssMb();
  const streams = Array.from({ length: 1900 }, (_, at) =>
    open(`limit=${String(1000 - (at % 900))}&q=${at < 900 ? 'op' : at < 1800 ? 'p-' : 'o'}`),
  );
  await eventually(
    () => {
      expect(streams.filter(({ status }) => status() === 0)).toHaveLength(0);
    },
    { withinMs: 15_000 },
  );
  const refused = streams.filter(({ status }) => status() === 429);
  expect(streams.length - refused.length).toBe(20);
  expect(refused[0]?.text()).toMatch(/retry-after: \d[^]*you have streams with 20 different questions open already/i);
  expect((await rssMb()) - before).toBeLessThan(MAX_GROWTH_MB);
  // Equal questions are one, however they are written, and cost next to nothing.
  const equal = Array.from({ length: 50 }, (_, at) => open(`limit=1000&q=${at % 2 === 0 ? 'op' : 'OP'}`));
  await eventually(() => {
    expect(equal.map(({ status }) => status())).toEqual(equal.map(() => 200));
  });
  expect((await rssMb()) - before).toBeLessThan(MAX_GROWTH_MB);
});
