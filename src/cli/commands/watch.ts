import { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import type { WatchOptions } from '../actions/watch.ts';
import { withClusters, withPlace, type PlaceFlags } from '../flags/connection.ts';
import { outputOption, withTimeout, type CommandScope } from './builder.ts';

export interface WatchFlags extends PlaceFlags {
  output?: string;
  timeout?: number;
}

export function watchCommand({ deps, act }: CommandScope): Command {
  return withClusters(
    withPlace(
      withTimeout(
        new Command('watch')
          .description('show what is running, live, or one operation until it finishes')
          .argument('[kind/name]', 'only this one, such as backup/nightly-1')
          .option('-A, --all-namespaces', 'what is in every namespace')
          .addOption(outputOption(['table', 'json'], 'table')),
      ),
      'velero for backups, openshift-migration for migrations, all for actions',
    ),
  ).action(
    act(async (target: string | undefined, flags: WatchFlags) => {
      const [{ watchOperations }, { withKubes }] = await Promise.all([
        import('../actions/watch.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      if (flags.namespace !== undefined && flags.allNamespaces === true) {
        throw new AppError('usage', '--namespace and --all-namespaces exclude each other: give one of them');
      }
      const options = watchOptions(flags, target === undefined ? undefined : parseTarget(target));
      return await withKubes(deps, flags, (scopes) => watchOperations(scopes, options));
    }),
  );
}

/** `backups/x` and `backup.velero.io/x` are what kubectl prints and takes. */
function parseTarget(text: string): { kind: string; name: string } {
  const [kind, name, ...rest] = text.split('/');
  if (!kind || !name || rest.length > 0) {
    throw new AppError('usage', `"${text}" names no operation: expected KIND/NAME, such as backup/nightly-1`);
  }
  return { kind, name };
}

export function watchOptions(flags: WatchFlags, target: WatchOptions['target']): WatchOptions {
  return {
    ...(target === undefined ? {} : { target }),
    ...(flags.output === undefined ? {} : { output: flags.output }),
    ...(flags.timeout === undefined ? {} : { timeoutMs: flags.timeout }),
  };
}
