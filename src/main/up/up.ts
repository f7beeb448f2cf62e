import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { homedir } from 'node:os';
import { AppError, formatDuration, messageOf, type Log } from '../../base/index.ts';
import { podsLines, printRows, type Demo, type DemoOptions, type Printer } from '../../cli/index.ts';
import { present } from '../../core/progress/index.ts';
import { loadConnection } from '../../edge/kube/index.ts';
import type { CredentialRules } from '../../edge/store/index.ts';
import { installCrds } from '../install/crds.ts';
import { builtPage, pagePath } from '../built/page.ts';
import { pinoLog } from '../pino-log.ts';
import { PocketDirectory } from '../pocket-directory.ts';
import { shellWord } from '../program-name.ts';
import { ROOT } from '../root.ts';
import { runPocket } from '../run-pocket.ts';
import { credentialRules } from '../serve/credential-rules.ts';
import { parseListen } from '../serve/listen-address.ts';
import { moverSettings } from '../serve/mover-settings.ts';
import { runServer, type RunningServer } from '../serve/run-server.ts';
import type { ServedCluster } from '../serve/served-cluster.ts';
import { servedCluster } from '../serve/serve.ts';
import { systemClock } from '../system-clock.ts';
import { SERVER_VERSION, VERSION } from '../version.ts';
import { defaultLocation } from './default-location.ts';
import { tellStory } from './demonstration.ts';
import { Keeping } from './keeping.ts';
import { Steps } from './steps.ts';

const NAMESPACE = 'velero';

/** `headway up`: cluster, controllers and page in this process, so that Ctrl-C ends everything. */
export function up({ home, env, program }: { home: string; env: NodeJS.ProcessEnv; program: string }): Demo {
  return {
    run: async (options, output, signal) => {
      const directory = new PocketDirectory(home, options.demo ? 'demo' : 'headway');
      const keeping = new Keeping(directory, { ...options, program });
      keeping.begin();
      try {
        await runAll(options, { home, directory, keeping, env, program, output, signal });
      } finally {
        const end = keeping.end();
        output.line();
        if (end !== undefined) output.line(end);
      }
    },
  };
}

interface Place {
  home: string;
  directory: PocketDirectory;
  keeping: Keeping;
  env: NodeJS.ProcessEnv;
  program: string;
  output: Printer;
  signal: AbortSignal;
}

async function runAll(options: DemoOptions, place: Place): Promise<void> {
  const { home, directory, keeping, env, output, signal } = place;
  // Outside of the cluster's directory, to be read also after that was deleted.
  const logFile = join(home, `up-${directory.name}.log`);
  const logTo = (component: string, level: string): Log => pinoLog({ component }, level, logFile);
  const credentials = credentialRules(options, home);
  const steps = new Steps(output);
  await using pocket = await runPocket(
    directory,
    { ...present({ port: options.port, kopia: options.kopia, restic: options.restic }), pods: options.pods, home, env },
    logTo('pocket', 'warn'),
  );
  truncateSync(logFile);
  keeping.mark();
  // Since the command was given, which is what somebody waited for.
  const ready = formatDuration(process.uptime());
  output.line(`Headway ${VERSION} · pocket cluster "${directory.name}" ready in ${ready}`);
  output.line(keeping.warning);
  for (const line of podsLines(pocket.pods.message)) output.line(line);
  const connection = await loadConnection(
    { clock: systemClock, env, homeDir: homedir() },
    { kubeconfig: pocket.kubeconfig },
  );
  const cluster = servedCluster(connection, 'link', logTo('kube', 'warn'));
  // What goes wrong inside must end the story as well as Ctrl-C does.
  const end = new AbortController();
  const all = AbortSignal.any([signal, end.signal]);
  let server: RunningServer | undefined;
  try {
    await installCrds(cluster.kube, all);
    await defaultLocation(cluster.kube, NAMESPACE, all);
    const onLinkUsed = (): void => {
      if (server !== undefined) printRows(output, [['Next link', server.loginLink()]]);
    };
    server = await serveCluster(options, {
      ...place,
      cluster,
      credentials,
      signal: all,
      log: logTo('headway', 'info'),
      onLinkUsed,
      hasProcesses: pocket.pods.areProcesses,
    });
    server.ended.catch((error: unknown) => {
      end.abort(error);
    });
    await server.ready;
    const page = buildPage(all);
    if (options.demo && !keeping.isContinued)
      await tellStory(cluster.kube, steps, { signal: all, hasProcesses: pocket.pods.areProcesses });
    const hasVolumes = options.demo && pocket.pods.areProcesses;
    await tellWhatNext({ ...place, server, page, kubeconfig: pocket.kubeconfig, logFile, hasVolumes });
    await pocket.until(all);
  } finally {
    end.abort(signal.aborted ? signal.reason : new AppError('canceled', 'the demonstration is over'));
    await server?.ended;
    await cluster.kube.close();
  }
}

async function serveCluster(
  options: DemoOptions,
  {
    cluster,
    credentials,
    home,
    directory,
    env,
    signal,
    log,
    onLinkUsed,
    hasProcesses,
  }: Place & {
    cluster: ServedCluster;
    credentials: CredentialRules;
    log: Log;
    onLinkUsed: () => void;
    hasProcesses: boolean;
  },
): Promise<RunningServer> {
  return await runServer(
    {
      clusters: [cluster],
      namespace: NAMESPACE,
      ...parseListen(options.listen),
      fsRoot: join(directory.path, 'stores'),
      credentials,
      pageDir: pagePath(ROOT),
      forceBesideVelero: false,
      settings: {
        // Where pods are simulated there is nothing to read volumes with.
        backup: { defaults: { defaultVolumesToFsBackup: options.defaultVolumesToFsBackup && hasProcesses } },
        serverStatus: { serverVersion: SERVER_VERSION },
      },
      movers: moverSettings(options),
    },
    {
      home,
      directory: join(directory.path, 'server'),
      env,
      log,
      onLinkUsed,
    },
    signal,
  );
}

/** Beside everything else: the story does not wait for it. */
function buildPage(signal: AbortSignal): Promise<string | undefined> {
  return builtPage({ root: ROOT, signal }).then(
    () => undefined,
    (error: unknown) => messageOf(error),
  );
}

async function tellWhatNext({
  server,
  page,
  kubeconfig,
  logFile,
  hasVolumes,
  keeping,
  program,
  output,
}: Place & {
  server: RunningServer;
  page: Promise<string | undefined>;
  kubeconfig: string;
  logFile: string;
  /** The sample has some to look into. */
  hasVolumes: boolean;
}): Promise<void> {
  const problem = await page;
  output.line();
  if (problem !== undefined) output.note(`The page could not be built: ${problem}`);
  printRows(output, [
    ['Page', server.loginLink()],
    ['', 'This link works once; after that, the next one appears here.'],
    ['kubectl', `export KUBECONFIG=${shellWord(kubeconfig)}`],
    ['Try', `${program} watch`],
    ['', `kubectl -n velero get backups,restores${hasVolumes ? ',volumepluginbackups' : ''}`],
    ...(hasVolumes ? [['', `${program} inspect demo-1 --files media/data-uploads-0`] as const] : []),
    ['Log', logFile],
  ]);
  output.line(`Ctrl-C stops everything${keeping.isKept ? '.' : ' and deletes this cluster.'}`);
}
