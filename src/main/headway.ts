/**
 * The composition root of the command line: the only place that reads the environment and constructs things.
 * It must never hold logic of its own; whatever decides lives in a folder with tests.
 */
import { VERSION } from './version.ts';
import { Printer, runCli, type CliDeps } from '../cli/index.ts';
import { homeDirectory } from './home.ts';
import { stopOnSignals } from './signals.ts';
import { endStragglers } from './stragglers.ts';
import { systemClock } from './system-clock.ts';
import { terminalOutput } from './terminal-output.ts';

const { env } = process;
const signal = stopOnSignals(process);
const home = homeDirectory(env);

const output = new Printer(terminalOutput(process.stdout, process.stderr, env));
const tell = (line: string): void => {
  output.note(line);
};

const deps: CliDeps = {
  version: VERSION,
  nodeVersion: process.versions.node,
  programName: env['HEADWAY_CALLED_AS'] === 'kubectl-headway' ? 'kubectl headway' : 'headway',
  output,
  signal,
  clock: systemClock,
  cluster: async (choice) => (await import('./cluster-info.ts')).clusterInfo(choice, env, signal),
  connect: async (choice) => (await import('./open-cluster.ts')).openCluster(choice, env),
  server: async (choice) => (await import('./server-client.ts')).serverClient(choice, { home, env, signal, tell }),
  download: async function* (url) {
    yield* (await import('./download-lines.ts')).downloadLines(url, signal);
  },
  readFile: async (path) => (await import('./read-file.ts')).readNamedFile(path),
  confirm: async (question) =>
    (await import('./confirm.ts')).confirm(question, { input: process.stdin, output: process.stderr, signal }),
  pocket: async () => (await import('./pocket-control.ts')).pocketControl({ home, env, signal }),
  demo: async () => (await import('./up/up.ts')).up({ home, env }),
  serve: async (options) => (await import('./serve/serve.ts')).serve(options, { home, env, signal }),
  installer: async () => (await import('./install/installer.ts')).installer({ env, signal }),
};

// Setting exitCode lets buffered output reach a pipe; process.exit would cut it off.
process.exitCode = await runCli(process.argv.slice(2), deps);
endStragglers(process);
