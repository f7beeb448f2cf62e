import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Pool } from 'undici';

/** The program that the bench measures. */
const SERVER = join(import.meta.dirname, '../../bench/pocket-server.ts');

export interface PocketProcess {
  process: ChildProcess;
  pool: Pool;
  headers: Record<string, string>;
}

/** A pocket cluster over plain HTTP in a process of its own, which a test may kill. */
export async function startProcess(dir: string, connections: number): Promise<PocketProcess> {
  const child = spawn(process.execPath, [SERVER, dir, 'plain'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url, token } = JSON.parse(line) as { url: string; token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return { process: child, pool: new Pool(url, { connections, bodyTimeout: 0, headersTimeout: 0 }), headers };
}
