import { Command, Option } from 'commander';
import { parseCount, parseList } from '../flags/values.ts';
import type { ServeOptions } from '../ports.ts';
import { withMovers, type CommandScope } from './builder.ts';

interface ServerCommandFlags extends Omit<ServeOptions, 'contexts' | 'allowedHosts'> {
  context?: string[];
  allowedHosts?: string[];
}

export function credentialsRootOption(): Option {
  return new Option('--credentials-root <folder>', 'directory from which locations may read credentials files');
}

export function serverCommand({ deps, act }: CommandScope): Command {
  const command = new Command('server')
    .description('run the controllers, the HTTP server and the page, in the foreground')
    .option('--kubeconfig <file>', 'kubeconfig to use instead of $KUBECONFIG, ~/.kube/config or the pod’s own account')
    .option('--context <name>', 'cluster to serve; may be given again (default: the current one)', parseList)
    .option('-n, --namespace <name>', 'namespace of the backups, restores and schedules', 'velero')
    .option('--listen <address>', 'address of the page and the API', '127.0.0.1:7443')
    .option('--allowed-hosts <names>', 'host names it is reached by, besides localhost and its address', parseList)
    .option('--tls-cert <file>', 'PEM certificate; required to listen on any address but loopback')
    .option('--tls-key <file>', 'PEM key of the certificate')
    .option('--fs-root <folder>', 'directory that holds the buckets of locations with provider headway.io/fs')
    .addOption(credentialsRootOption())
    .option(
      '--allow-credential-plugins <list>',
      'what credentials may use besides keys: role (assume an AWS role), process (run a program)',
      parseList,
    )
    .option('--concurrent-backups <n>', 'how many backups may run at once', parseCount, 1)
    .option('--concurrent-restores <n>', 'how many restores may run at once', parseCount, 4)
    .option(
      '--engines <list>',
      'what to work on: velero, kanister, migration (not there yet); or none, to only look (default: all that there are)',
      parseList,
    )
    .option('--rotate-keys', 'create a new key; this ends all sessions and download links', false)
    .option('--force-beside-velero', 'run the velero engine even though Velero is running in the namespace', false)
    .addOption(
      new Option('--log-level <level>', 'lowest level to log')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('info'),
    )
    .option('--mover-image <name>', 'image of the pods that copy volumes (default: headway, of this version)');
  return withMovers(command, { uploader: 'kopia', areFilesWanted: false }).action(
    act(async ({ context = [], allowedHosts = [], ...flags }: ServerCommandFlags) => {
      await deps.serve({ ...flags, contexts: context, allowedHosts });
      return 0;
    }),
  );
}
