import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { debianTree } from './cache.ts';

/** Why this machine can run no nodes, or undefined when it can. Programs that are built are not looked for here. */
export function whyNoNodes(): string | undefined {
  if (process.getuid?.() !== 0) return 'a node needs root';
  if (!existsSync(debianTree('node'))) return 'containerd not unpacked, run: scripts/debian.sh node';
  const tried = spawnSync('unshare', ['--mount', '--net', '--pid', '--fork', 'true'], { encoding: 'utf8' });
  if (tried.status === 0) return undefined;
  return `a node needs namespaces of its own: ${tried.error?.message ?? tried.stderr.trim()}`;
}
