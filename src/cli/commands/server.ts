import { Command, Option } from 'commander';
import { parseCount, parseList } from '../flags/values.ts';
import type { ServeOptions } from '../ports.ts';
import type { CommandScope } from './builder.ts';

interface ServerCommandFlags extends Omit<ServeOptions, 'contexts' | 'allowedHosts'> {
  context?: string[];
  allowedHosts?: string[];
}

export function credentialsRootOption(): Option {
  return new Option('--credentials-root <folder>', 'folder below which files that a location names are read');
}

export function serverCommand({ deps, act }: CommandScope): Command {
  return new Command('server')
    .description('run the controllers, the HTTP server and the page, in the foreground')
    .option('--kubeconfig <file>', 'kubeconfig to use instead of $KUBECONFIG, ~/.kube/config or the pod’s own account')
    .option('--context <name>', 'cluster to serve; may be given again (default: the current one)', parseList)
    .option('-n, --namespace <name>', 'namespace of the backups, restores and schedules', 'velero')
    .option('--listen <address>', 'where the page and the API are', '127.0.0.1:7443')
    .option('--allowed-hosts <names>', 'names under which it is reached, besides localhost and its address', parseList)
    .option('--tls-cert <file>', 'PEM certificate; needed to listen elsewhere than on this machine')
    .option('--tls-key <file>', 'PEM key of the certificate')
    .option('--fs-root <folder>', 'folder below which locations of provider headway.io/fs may lie')
    .addOption(credentialsRootOption())
    .option(
      '--allow-credential-plugins <list>',
      'what credentials of locations may do besides holding keys: role (ask AWS for a role), process (run a program)',
      parseList,
    )
    .option('--concurrent-backups <n>', 'backups that run at the same time', parseCount, 1)
    .option('--concurrent-restores <n>', 'restores that run at the same time', parseCount, 4)
    .option('--rotate-keys', 'begin with a new key: all sessions and download links end', false)
    .option('--force-beside-velero', 'start although a Velero runs in the namespace', false)
    .addOption(
      new Option('--log-level <level>', 'what is logged').choices(['debug', 'info', 'warn', 'error']).default('info'),
    )
    .action(
      act(async ({ context = [], allowedHosts = [], ...flags }: ServerCommandFlags) => {
        await deps.serve({ ...flags, contexts: context, allowedHosts });
        return 0;
      }),
    );
}
