import { existsSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { homedir } from 'node:os';
import { AppError, formatDuration, messageOf } from '../../base/index.ts';
import { printRows, type Demo, type DemoOptions, type Printer } from '../../cli/index.ts';
import { loadConnection } from '../../edge/kube/index.ts';
import type { CredentialRules } from '../../edge/store/index.ts';
import { installCrds } from '../install/crds.ts';
import { builtPage, pagePath } from '../page/build-page.ts';
import { pinoLog } from '../pino-log.ts';
import { PocketDirectory } from '../pocket-directory.ts';
import { runPocket } from '../run-pocket.ts';
import { credentialRules } from '../serve/credential-rules.ts';
import { parseListen } from '../serve/listen-address.ts';
import { runServer, type RunningServer } from '../serve/run-server.ts';
import type { ServedCluster } from '../serve/served-cluster.ts';
import { servedCluster } from '../serve/serve.ts';
import { systemClock } from '../system-clock.ts';
import { SERVER_VERSION, VERSION } from '../version.ts';
import { defaultLocation } from './default-location.ts';
import { tellStory } from './demonstration.ts';
import { Steps } from './steps.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const NAMESPACE = 'velero';
/** What people type here: nothing of a checkout is on their PATH. */
const PROGRAM = existsSync(join(ROOT, 'web/index.html')) ? 'bin/headway' : 'headway';

/** `headway up`: cluster, controllers and page in this process, so that Ctrl-C ends everything. */
export function up({ home, env }: { home: string; env: NodeJS.ProcessEnv }): Demo {
  return {
    run: async (options, output, signal) => {
      const directory = new PocketDirectory(home, options.demo ? 'demo' : 'headway');
      // A demo begins empty, also after one that was killed.
      if (options.demo) removeUnlessHeld(directory);
      try {
        await runAll(options, { home, directory, env, output, signal });
      } finally {
        if (options.demo) removeUnlessHeld(directory);
      }
      output.line();
      output.line('Stopped');
    },
  };
}

interface Place {
  home: string;
  directory: PocketDirectory;
  env: NodeJS.ProcessEnv;
  output: Printer;
  signal: AbortSignal;
}

async function runAll(options: DemoOptions, { home, directory, env, output, signal }: Place): Promise<void> {
  const credentials = credentialRules(options, home);
  const steps = new Steps(output);
  await using pocket = await runPocket(directory, options.port === undefined ? {} : { port: options.port }, 'warn');
  // Since the command was given, which is what somebody waited for.
  const ready = formatDuration(process.uptime());
  output.line(`Headway ${VERSION} · pocket cluster "${directory.name}" ready in ${ready}`);
  const connection = await loadConnection(
    { clock: systemClock, env, homeDir: homedir() },
    { kubeconfig: pocket.kubeconfig },
  );
  const cluster = servedCluster(connection, 'link');
  // What goes wrong inside must end the story as well as Ctrl-C does.
  const end = new AbortController();
  const all = AbortSignal.any([signal, end.signal]);
  let server: RunningServer | undefined;
  try {
    await installCrds(cluster.kube, all);
    await defaultLocation(cluster.kube, NAMESPACE, all);
    const onLinkUsed = (): void => {
      if (server !== undefined) printRows(output, [['next link', server.loginLink()]]);
    };
    server = await serveCluster(options, { cluster, credentials, home, directory, env, signal: all, onLinkUsed });
    server.ended.catch((error: unknown) => {
      end.abort(error);
    });
    await server.ready;
    const page = buildPage(all);
    if (options.demo) await tellStory(cluster.kube, steps, all);
    await tellWhatNext({ server, page, kubeconfig: pocket.kubeconfig, output });
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
    onLinkUsed,
  }: { cluster: ServedCluster; credentials: CredentialRules; signal: AbortSignal; onLinkUsed: () => void } & Pick<
    Place,
    'home' | 'directory' | 'env'
  >,
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
      settings: { serverStatus: { serverVersion: SERVER_VERSION } },
    },
    {
      home,
      directory: join(directory.path, 'server'),
      env,
      log: pinoLog({ component: 'headway' }, 'error'),
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

/** Another demo that is just starting must not lose its files to this one. */
function removeUnlessHeld(directory: PocketDirectory): void {
  if (!directory.isHeld) rmSync(directory.path, { recursive: true, force: true });
}

async function tellWhatNext({
  server,
  page,
  kubeconfig,
  output,
}: {
  server: RunningServer;
  page: Promise<string | undefined>;
  kubeconfig: string;
  output: Printer;
}): Promise<void> {
  const problem = await page;
  output.line();
  if (problem !== undefined) output.note(`The page could not be built: ${problem}`);
  printRows(output, [
    ['Page', server.loginLink()],
    ['', 'logs one browser in; then the next link appears here'],
    ['kubectl', `export KUBECONFIG=${shellWord(kubeconfig)}`],
    ['try', `${PROGRAM} watch · kubectl -n velero get backups,restores`],
  ]);
  output.line('Ctrl-C stops everything.');
}

function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
