import type { Machine } from './machine.ts';
import { CONTAINERD_SOCKET } from './node-config.ts';
import { run } from './run.ts';

/** Asks the containerd of a machine for something, about what Kubernetes sees of it. */
export async function ctr(inside: Machine['inside'], args: string[], signal: AbortSignal): Promise<string> {
  const connected = ['--address', CONTAINERD_SOCKET, '--namespace', 'k8s.io', ...args];
  const command = inside({ name: 'ctr', program: 'ctr', args: connected });
  return await run(command.program, { args: command.args, signal });
}
