import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startProcess, type PocketProcess } from './pocket-process.ts';

const ROUNDS = process.env['HEADWAY_CAMPAIGN'] === '1' ? 100 : 5;
const WRITERS = 20;
const PATH = '/api/v1/namespaces/default/configmaps';

interface Stored {
  metadata: { name: string; resourceVersion: string };
  data: { step: string };
}

async function call(
  server: PocketProcess,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
): Promise<unknown> {
  const { pool, headers } = server;
  const answer = await pool.request({
    method,
    path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${method} ${path} answered ${answer.statusCode}: ${text}`);
  return JSON.parse(text);
}

/** What was answered: the last step of each object, or that it is deleted; and what was asked but not answered. */
class Ledger {
  readonly answered = new Map<string, string | undefined>();
  readonly asked = new Map<string, string | undefined>();
  highest = 0;

  note(name: string, step: string | undefined, answer: unknown): void {
    this.answered.set(name, step);
    this.asked.delete(name);
    const version = (answer as Partial<Stored>).metadata?.resourceVersion;
    this.highest = Math.max(this.highest, Number(version ?? 0));
  }
}

/** Creates, updates and deletes as fast as it can until the server is gone. */
async function write(server: PocketProcess, ledger: Ledger, id: string): Promise<void> {
  const object = (name: string, step: string): unknown => ({
    metadata: { name },
    data: { step, filler: 'x'.repeat(200) },
  });
  for (let i = 0; ; i += 1) {
    const name = `${id}-${i}`;
    const steps: ['POST' | 'PUT' | 'DELETE', string | undefined][] = [
      ['POST', 'created'],
      ['PUT', 'updated'],
      ...(i % 3 === 0 ? ([['DELETE', undefined]] as ['DELETE', undefined][]) : []),
    ];
    for (const [method, step] of steps) {
      ledger.asked.set(name, step);
      const path = method === 'POST' ? PATH : `${PATH}/${name}`;
      const answer = await call(server, method, path, step === undefined ? undefined : object(name, step));
      ledger.note(name, step, answer);
    }
  }
}

describe('a pocket cluster that is killed at full speed', () => {
  let dir = '';
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headway-crash-'));
  });
  afterEach(() => {
    rmSync(dir, { recursive: true, force: true });
  });

  it(`loses no answered write in ${ROUNDS} rounds`, { timeout: ROUNDS * 15_000 }, async () => {
    const ledger = new Ledger();
    for (let round = 0; round < ROUNDS; round += 1) {
      const server = await startProcess(dir, WRITERS);
      await expectKept(server, ledger);
      const writers = Array.from({ length: WRITERS }, (_, i) => write(server, ledger, `r${round}-w${i}`));
      const settled = Promise.allSettled(writers);
      // Not a fixed time but an amount of work, so that a slow machine kills in the middle of it too.
      const enough = ledger.answered.size + 150 + Math.floor(Math.random() * 300);
      while (ledger.answered.size < enough) await new Promise((resolve) => setImmediate(resolve));
      server.process.kill('SIGKILL');
      await once(server.process, 'exit');
      await server.pool.destroy();
      await settled;
    }
    const server = await startProcess(dir, WRITERS);
    await expectKept(server, ledger);
    server.process.kill('SIGKILL');
    await server.pool.destroy();
  });

  async function expectKept(server: PocketProcess, ledger: Ledger): Promise<void> {
    const list = (await call(server, 'GET', PATH)) as { items: Stored[]; metadata: { resourceVersion: string } };
    const found = new Map(list.items.map((item) => [item.metadata.name, item.data.step]));
    const wrong: string[] = [];
    for (const [name, step] of ledger.answered) {
      // An unanswered write may or may not be there; both are right.
      const mayBe = ledger.asked.has(name) ? [step, ledger.asked.get(name)] : [step];
      if (!mayBe.includes(found.get(name)))
        wrong.push(`${name}: answered ${String(step)}, found ${String(found.get(name))}`);
    }
    expect(wrong).toEqual([]);
    expect(Number(list.metadata.resourceVersion)).toBeGreaterThanOrEqual(ledger.highest);
    const fresh = (await call(server, 'POST', PATH, {
      metadata: { generateName: 'probe-' },
      data: { step: 'probe' },
    })) as Stored;
    expect(Number(fresh.metadata.resourceVersion)).toBeGreaterThan(ledger.highest);
    // What was in flight is settled now, one way or the other.
    for (const name of ledger.asked.keys()) ledger.answered.set(name, found.get(name));
    ledger.asked.clear();
  }
});
