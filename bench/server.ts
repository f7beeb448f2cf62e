/**
 * 1 000 open pages and 10 000 operations of every kind, of which 1 000 change every second.
 * Judged: 99 of 100 changes reach a page within 1.5 s of happening in the cluster.
 * `npm run bench -- server [CLIENTS] [OPERATIONS] [RUNNING] [SECONDS] [all|backups]`
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { constants, createInflateRaw } from 'node:zlib';

const MAX_P99_MS = 1500;
const [clients = 1000, operations = 10_000, running = 1000, seconds = 20] = process.argv.slice(2, 6).map(Number);
/** `backups` compares with what was measured before there were other kinds. */
const kinds = process.argv[6] ?? 'all';
/** All take every byte; these also read every event, which in life other machines do. */
const READERS = Math.min(20, clients);

interface Usage {
  rssMb: number;
  cpuSeconds: number;
}

/** One page: a connection that asks for compressed events, as browsers do. */
class Page {
  bytes = 0;
  isMeasuring = false;
  readonly latencies: number[] = [];
  readonly #socket: Socket;

  constructor(url: URL, reads: boolean) {
    this.#socket = connect(Number(url.port), url.hostname);
    this.#socket.write(
      'GET /api/events HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer bench\r\naccept-encoding: gzip\r\n\r\n',
    );
    const text = reads ? this.#reader() : undefined;
    this.#socket.on('data', (chunk) => {
      this.bytes += chunk.length;
      text?.(chunk);
    });
    this.#socket.on('error', (error) => {
      throw error;
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** Takes apart the headers, the chunks and the gzip stream, and looks at each event's time. */
  #reader(): (chunk: Buffer) => void {
    let waiting = Buffer.alloc(0);
    let hasHeaders = false;
    let rest = '';
    let toSkip = 10;
    const inflate = createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH });
    inflate.on('data', (piece: Buffer) => {
      const blocks = (rest + piece.toString('latin1')).split('\n\n');
      rest = blocks.pop() ?? '';
      if (this.isMeasuring) for (const block of blocks) this.#look(block);
    });
    const take = (bytes: Buffer): void => {
      const skipped = Math.min(toSkip, bytes.length);
      toSkip -= skipped;
      inflate.write(bytes.subarray(skipped));
    };
    return (chunk) => {
      waiting = Buffer.concat([waiting, chunk]);
      if (!hasHeaders) {
        const end = waiting.indexOf('\r\n\r\n');
        if (end < 0) return;
        hasHeaders = true;
        waiting = waiting.subarray(end + 4);
      }
      for (;;) {
        const line = waiting.indexOf('\r\n');
        const size = line < 0 ? Number.NaN : Number.parseInt(waiting.toString('latin1', 0, line), 16);
        if (Number.isNaN(size) || waiting.length < line + 2 + size + 2) return;
        take(waiting.subarray(line + 2, line + 2 + size));
        waiting = waiting.subarray(line + 2 + size + 2);
      }
    };
  }

  #look(block: string): void {
    const at = block.startsWith('event: operation') ? /at-(\d+)"/.exec(block)?.[1] : undefined;
    if (at !== undefined) this.latencies.push(Date.now() - Number(at));
  }
}

const serving = spawn(
  process.execPath,
  [join(import.meta.dirname, 'server-cluster.ts'), String(operations), String(running), kinds],
  { stdio: ['pipe', 'pipe', 'inherit'] },
);
const lines = createInterface({ input: serving.stdout });
const line = async <T>(): Promise<T> => JSON.parse(((await once(lines, 'line')) as [string])[0]) as T;
const usage = async (): Promise<Usage> => {
  const answer = line<Usage>();
  serving.stdin.write('\n');
  return await answer;
};

try {
  const { url } = await line<{ url: string }>();
  const idle = await usage();
  const began = Date.now();
  const pages: Page[] = [];
  for (let at = 0; at < clients; at += 1) {
    pages.push(new Page(new URL(url), at % Math.ceil(clients / READERS) === 0));
    // As many people open a page in a second, and the first of them are served while the last still come.
    if (at % 50 === 49) await delay(50);
  }
  while (pages.some(({ bytes }) => bytes === 0)) await delay(20);
  const openedMs = Date.now() - began;
  await delay(3000);
  const before = await usage();
  const bytesBefore = pages.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const page of pages) page.isMeasuring = true;
  await delay(seconds * 1000);
  for (const page of pages) page.isMeasuring = false;
  const after = await usage();
  const bytes = pages.reduce((sum, page) => sum + page.bytes, 0) - bytesBefore;
  const latencies = pages.flatMap((page) => page.latencies).toSorted((a, b) => a - b);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? NaN;
  const changes = latencies.length / pages.filter((page) => page.latencies.length > 0).length / seconds;
  const good = at(0.99) <= MAX_P99_MS;
  const mb = (value: number): string => `${value.toFixed(0)} MB`;
  console.log(`${String(clients)} pages, ${String(operations)} operations, ${String(running)} change every second`);
  console.log(`opened in     ${(openedMs / 1000).toFixed(1)} s`);
  console.log(
    `freshness     p50 ${String(at(0.5))} ms, p99 ${String(at(0.99))} ms, most ${String(at(1))} ms, of ${String(latencies.length)} events (${changes.toFixed(0)} a second; limit p99 ${String(MAX_P99_MS)} ms)${good ? '' : '  MISSED'}`,
  );
  console.log(`memory        ${mb(idle.rssMb)} before the pages, ${mb(after.rssMb)} with them`);
  console.log(`processor     ${((after.cpuSeconds - before.cpuSeconds) / seconds).toFixed(2)} cores`);
  console.log(`sent          ${mb(bytes / seconds / 1e6)} a second to all of them`);
  for (const page of pages) page.close();
  process.exitCode = good ? 0 : 1;
} finally {
  // It cleans up behind itself when nobody can ask it any more.
  serving.stdin.end();
  await once(serving, 'close');
}
