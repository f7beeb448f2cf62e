import { Command } from 'commander';
import { AppError } from '../../base/index.ts';
import { watchFlags, watchOptions, type WatchFlags } from './noun.ts';
import type { CommandScope } from './builder.ts';

export function watchCommand({ deps, act }: CommandScope): Command {
  return watchFlags(
    new Command('watch')
      .description('show what is running, live, or one operation until it finishes')
      .argument('[kind/name]', 'only this one, such as backup/nightly-1'),
  ).action(
    act(async (target: string | undefined, flags: WatchFlags) => {
      const [{ watchOperations }, { withKube }] = await Promise.all([
        import('../actions/watch.ts'),
        import('../actions/open-cluster.ts'),
      ]);
      const options = watchOptions(flags, target === undefined ? undefined : parseTarget(target));
      return await withKube(deps, flags, (scope) => watchOperations(scope, options));
    }),
  );
}

function parseTarget(text: string): { kind: string; name: string } {
  const [kind, name, ...rest] = text.split('/');
  if (!kind || !name || rest.length > 0) {
    throw new AppError('usage', `"${text}" names no operation: expected KIND/NAME, such as backup/nightly-1`);
  }
  // `backups/x` and `backup.velero.io/x` are what kubectl prints and takes.
  return { kind: kind.replace(/\..*$/, '').replace(/s$/, ''), name };
}
