import { Command } from 'commander';
import type { CliDeps } from '../ports.ts';
import { clusterOf, withCluster, type ClusterFlags } from '../flags/connection.ts';
import { printRows } from '../print/rows.ts';
import { printJson } from '../print/structured.ts';
import { outputOption, type CommandScope } from './builder.ts';

interface VersionFlags extends ClusterFlags {
  client?: true;
  output?: string;
}

export function versionCommand({ deps, act }: CommandScope): Command {
  return withCluster(
    new Command('version')
      .description('show the versions of Headway and of the cluster it talks to')
      .option('--client', 'do not ask the cluster')
      .addOption(outputOption(['text', 'json'], 'text')),
  ).action(
    act(async (flags: VersionFlags) => {
      await showVersion(flags, deps);
      return 0;
    }),
  );
}

async function showVersion(flags: VersionFlags, deps: CliDeps): Promise<void> {
  const client = { headway: deps.version, node: deps.nodeVersion };
  if (flags.output !== 'json') {
    printRows(deps.output, [
      ['Headway', client.headway],
      ['Node', client.node],
    ]);
  }
  const cluster = flags.client === true ? undefined : await deps.cluster(clusterOf(flags));
  if (flags.output === 'json') {
    printJson(deps.output, { ...client, ...(cluster === undefined ? {} : { cluster }) });
  } else if (cluster !== undefined) {
    printRows(deps.output, [['Cluster', `${cluster.version} at ${cluster.server} (${cluster.context})`]]);
  } else if (flags.client !== true) {
    printRows(deps.output, [['Cluster', `none configured; start one with: ${deps.programName} pocket up NAME`]]);
  }
}
