import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

// As the kernel writes them in /proc/net/tcp: hexadecimal, in the byte order of the machine.
const LISTENING = '0A';
const LOOPBACK = /^(0100007F|0{24}01000000):/;

/** On which addresses these processes listen for TCP: how many, and those that others could reach. */
export function listening(pids: readonly number[]): { count: number; beyondLoopback: string[] } {
  const sockets = new Set(pids.flatMap(socketInodes));
  const addresses = ['tcp', 'tcp6']
    .flatMap((table) => readFileSync(`/proc/net/${table}`, 'utf8').split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === LISTENING && sockets.has(fields[9] ?? ''))
    .map((fields) => fields[1] ?? '');
  return { count: addresses.length, beyondLoopback: addresses.filter((address) => !LOOPBACK.test(address)) };
}

function socketInodes(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    try {
      return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1] ?? [];
    } catch {
      return []; // Closed since the listing.
    }
  });
}
