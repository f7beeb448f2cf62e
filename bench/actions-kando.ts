import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bed } from '../test/bed/index.ts';

const KANDO = join(import.meta.dirname, '../bin/kando');
const MIB = 1024 * 1024;

export interface PushFigures {
  peakMb: number;
  seconds: number;
}

/** Pushes so much through a pipe into a directory or the bed's S3 server, and watches the memory of kando. */
export async function measurePush(where: 'fs' | 's3', mib: number): Promise<PushFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'headway-bench-'));
  try {
    if (where === 'fs') return await push(directoryProfile(folder), mib);
    await using server = await bed({ clusters: 0, s3: true });
    const { endpoint, region, bucket, accessKey, secretKey } = server.s3!;
    return await push(
      {
        Location: { type: 's3Compliant', bucket, endpoint, prefix: '', region },
        Credential: { Type: 'keyPair', KeyPair: { ID: accessKey, Secret: secretKey } },
      },
      mib,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function directoryProfile(endpoint: string): object {
  return { Location: { type: 'headway.io/fs', bucket: 'b', endpoint, prefix: '', region: '' } };
}

async function push(profile: object, mib: number): Promise<PushFigures> {
  const began = performance.now();
  const child = spawn(KANDO, ['location', 'push', '-', '--profile', JSON.stringify(profile), '--path', 'big'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  let peakMb = 0;
  const look = (): void => {
    peakMb = Math.max(peakMb, highWaterMark(child.pid ?? 0));
  };
  const closed = once(child, 'close') as Promise<[number | null]>;
  const chunk = Buffer.alloc(MIB, 'headway');
  for (let sent = 0; sent < mib; sent += 1) {
    if (!child.stdin.write(chunk)) await once(child.stdin, 'drain');
    if (sent % 64 === 0) look();
  }
  look();
  child.stdin.end();
  const looking = setInterval(look, 50);
  const [code] = await closed;
  clearInterval(looking);
  if (code !== 0) throw new Error(`kando ended with ${code}`);
  return { peakMb, seconds: (performance.now() - began) / 1000 };
}

/** The most memory it ever had, in MB; nought once it has ended. */
function highWaterMark(pid: number): number {
  try {
    const [, kib = '0'] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return (Number(kib) * 1024) / 1e6;
  } catch {
    // It may end between two looks.
    return 0;
  }
}
