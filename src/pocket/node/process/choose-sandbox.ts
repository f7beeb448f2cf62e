import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../../base/index.ts';
import type { Programs } from '../machine/index.ts';
import { removeTree, type LayerKind } from '../root/index.ts';
import { NamespaceSandbox } from './namespaces.ts';
import type { Pipes } from './pipes.ts';
import { PlainSandbox } from './plain.ts';
import type { Guard, Sandbox } from './sandbox.ts';
import type { Privilege } from './words.ts';

export interface SandboxChoice {
  sandbox: Sandbox;
  /** One word for the condition of the node. */
  reason: 'Namespaces' | 'UserNamespaces' | 'NoNamespaces';
  message: string;
}

interface Options {
  programs: Programs;
  pipes: Pipes;
  guard: Guard;
  /** For the trial; removed again. */
  dir: string;
  isRoot: boolean;
  mark: readonly [name: string, value: string];
  /** Without even trying namespaces. */
  isPlain: boolean;
}

const LAYERS: readonly LayerKind[] = ['disk', 'memory', 'none'];
const TRY_WITHIN_MS = 10_000;
const WHERE: Readonly<Record<LayerKind, string>> = {
  disk: '',
  memory: ', changes to their files are kept in memory',
  none: ', system folders cannot be changed',
};

/** The best that this machine gives us. It is tried, because many things can forbid it and few can be asked. */
export async function chooseSandbox(options: Options): Promise<SandboxChoice> {
  const { programs, pipes, guard, mark, isRoot, isPlain } = options;
  const failures: string[] = [];
  const missing = programs.missingForNamespaces;
  if (isPlain) failures.push('plain processes were asked for');
  else if (missing.length > 0) failures.push(`not found: ${missing.join(', ')}`);
  const privileges: readonly Privilege[] = failures.length > 0 ? [] : isRoot ? ['root', 'user'] : ['user'];
  for (const privilege of privileges) {
    for (const layer of LAYERS) {
      const sandbox = new NamespaceSandbox({ programs, pipes, guard, privilege, layer });
      const failure = await tryOut(sandbox, join(options.dir, `${privilege}-${layer}`));
      if (failure === undefined) {
        const how = privilege === 'root' ? 'namespaces' : 'user namespaces';
        return {
          sandbox,
          reason: privilege === 'root' ? 'Namespaces' : 'UserNamespaces',
          message: `processes in ${how}${WHERE[layer]}`,
        };
      }
      failures.push(failure);
    }
  }
  return {
    sandbox: new PlainSandbox({ programs, pipes, guard, mark }),
    reason: 'NoNamespaces',
    message: `plain processes, which see all files of this machine: ${failures.at(-1) ?? ''}`,
  };
}

/** Why it cannot be used; undefined when it can. */
async function tryOut(sandbox: Sandbox, dir: string): Promise<string | undefined> {
  await mkdir(dir, { recursive: true });
  try {
    const container = await sandbox.start({
      dir,
      hostname: 'trial',
      command: ['sh', '-c', ': >/tmp/x && : </etc/hosts'],
      env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
      workingDir: '/',
      identity: { uid: 0, gid: 0 },
      isPrivileged: false,
      base: { kind: 'machine' },
      binds: [],
      links: [],
      folders: [],
      isReadOnly: false,
      masks: [],
      hasInput: false,
      isTerminal: false,
    });
    const late = setTimeout(() => {
      container.kill();
    }, TRY_WITHIN_MS);
    let said = '';
    container.errors?.on('data', (chunk: Buffer) => {
      said = (said + chunk.toString()).slice(0, 500);
    });
    container.output.resume();
    try {
      await container.up;
      const { code } = await container.ended;
      return code === 0 ? undefined : `a trial ended with ${code}: ${said.trim()}`;
    } catch (error) {
      await container.ended.catch(() => undefined);
      return said.trim() === '' ? messageOf(error) : said.trim();
    } finally {
      clearTimeout(late);
    }
  } catch (error) {
    return messageOf(error);
  } finally {
    await removeTree(dir);
  }
}
