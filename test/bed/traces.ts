import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { debianTree } from './cache.ts';
import { bedMark } from './network.ts';
import { run } from './run.ts';

/** Everything on this machine that a bed with nodes could leave behind, by what it is. */
export interface Traces {
  /** Also what runs in containers, which knows nothing of the bed: by its cgroup. */
  processes: string[];
  mounts: string[];
  links: string[];
  routes: string[];
  rules: string[];
  cgroups: string[];
}

/** `ranges` are the networks of the bed's clusters, `10.N.0.0/16`. */
export async function tracesOf(directory: string, ranges: readonly string[]): Promise<Traces> {
  const mark = bedMark(directory);
  const prefixes = ranges.map((range) => range.replace(/0\.0\/16$/, ''));
  const isOurs = (line: string) => line.includes(directory) || line.includes(mark);
  const isAddressed = (line: string) => prefixes.some((prefix) => line.includes(prefix));
  return {
    processes: pids().filter((pid) => isOurs(`${read(pid, 'environ')}${read(pid, 'cgroup')}${read(pid, 'cmdline')}`)),
    mounts: readFileSync('/proc/self/mountinfo', 'utf8').split('\n').filter(isOurs),
    links: readdirSync('/sys/class/net').filter(isOurs),
    routes: (await run('ip', { args: ['route'] })).split('\n').filter(isAddressed),
    rules: (await savedRules()).filter(isAddressed),
    cgroups: (await run('find', { args: ['/sys/fs/cgroup', '-maxdepth', '2', '-type', 'd'] }))
      .split('\n')
      .filter(isOurs),
  };
}

function pids(): string[] {
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
}

function read(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return ''; // Gone since the listing.
  }
}

/** Of the machine's own network, in both of its languages. */
async function savedRules(): Promise<string[]> {
  const tree = debianTree('node');
  const libraries = join(
    tree,
    'usr/lib',
    readdirSync(join(tree, 'usr/lib')).find((name) => name.endsWith('-linux-gnu'))!,
  );
  const env = { LD_LIBRARY_PATH: libraries, XTABLES_LIBDIR: join(libraries, 'xtables') };
  const programs = ['iptables-nft-save', 'iptables-legacy-save'].map((name) => join(tree, 'usr/sbin', name));
  const saved = await Promise.all(programs.map(async (program) => await run(program, { args: [], env })));
  return saved.flatMap((text) => text.split('\n'));
}
