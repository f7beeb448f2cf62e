import { mkdirSync, realpathSync, statSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { AppError, messageOf } from '../../base/index.ts';
import { CREDENTIAL_PLUGINS, type CredentialRules } from '../../edge/store/index.ts';

interface Flags {
  credentialsRoot?: string;
  allowCredentialPlugins?: readonly string[];
}

/** What the flags let locations use on this machine. A mistake in them ends the start, not the first backup. */
export function credentialRules(flags: Flags, home: string): CredentialRules {
  // A state that is not there yet could not be told from the root's other folders.
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const plugins = CREDENTIAL_PLUGINS.filter((one) => flags.allowCredentialPlugins?.includes(one));
  const unknown = flags.allowCredentialPlugins?.find((one) => !(CREDENTIAL_PLUGINS as readonly string[]).includes(one));
  if (unknown !== undefined) {
    const known = CREDENTIAL_PLUGINS.join(' or ');
    throw new AppError('usage', `--allow-credential-plugins: expected ${known}, got ${JSON.stringify(unknown)}`);
  }
  const { credentialsRoot } = flags;
  const root = credentialsRoot === undefined ? undefined : existingFolder(resolve(credentialsRoot), home);
  return { root, state: home, plugins };
}

function existingFolder(root: string, home: string): string {
  const refuse = (problem: string): never => {
    throw new AppError('usage', `--credentials-root ${root}: ${problem}`);
  };
  try {
    if (!statSync(root).isDirectory()) refuse('expected a folder');
  } catch (error) {
    if (error instanceof AppError) throw error;
    refuse(messageOf(error));
  }
  const way = relative(realpathSync(home), realpathSync(root));
  if (way !== '..' && !way.startsWith(`..${sep}`)) refuse(`expected a folder of its own, ${home} is Headway's state`);
  return root;
}
