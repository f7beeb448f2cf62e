import { Printer, runCli, type CliDeps, type ClusterChoice, type ClusterSession } from '../../src/cli/index.ts';
import { downloadLines } from '../../src/main/download-lines.ts';
import { openCluster } from '../../src/main/open-cluster.ts';
import { serverClient } from '../../src/main/server-client.ts';
import { systemClock } from '../../src/main/system-clock.ts';

export interface Ran {
  code: number;
  out: string;
  err: string;
}

export interface Started {
  out(): string;
  err(): string;
  interrupt(): void;
  ended: Promise<Ran>;
}

export type Ports = Partial<CliDeps> & { isTerminal?: boolean; columns?: number };

/** The command line in this process, with a home and an environment of its own. */
export class CommandLine {
  readonly #home: string;
  readonly #env: NodeJS.ProcessEnv;

  constructor(home: string, kubeconfig: string) {
    this.#home = home;
    this.#env = { KUBECONFIG: kubeconfig, HEADWAY_HOME: home };
  }

  connect(choice: ClusterChoice = {}): Promise<ClusterSession> {
    return openCluster(choice, { home: this.#home, env: this.#env, tell: () => undefined });
  }

  /** Runs a command to its end. */
  async run(...args: string[]): Promise<Ran> {
    return await this.begin(args).ended;
  }

  begin(args: readonly string[], ports: Ports = {}): Started {
    const printed = { out: '', err: '' };
    const stop = new AbortController();
    const { isTerminal = false, columns = 80, ...others } = ports;
    const unused = () => Promise.reject(new Error('this command must not use that port'));
    const deps: CliDeps = {
      version: '1.2.3',
      nodeVersion: '24.0.0',
      programName: 'headway',
      output: new Printer({
        out: (text) => void (printed.out += text),
        err: (text) => void (printed.err += text),
        isTerminal,
        columns,
      }),
      signal: stop.signal,
      clock: systemClock,
      cluster: unused,
      connect: (choice) => this.connect(choice),
      server: (choice) =>
        serverClient(choice, {
          home: this.#home,
          env: this.#env,
          signal: stop.signal,
          tell: (line) => void (printed.err += `${line}\n`),
        }),
      download: (url) => downloadLines(url, stop.signal),
      readFile: unused,
      previewActions: unused,
      confirm: () => Promise.resolve(undefined),
      pocket: unused,
      demo: unused,
      serve: unused,
      installer: unused,
      mover: unused,
      ...others,
    };
    return {
      out: () => printed.out,
      err: () => printed.err,
      interrupt: () => {
        stop.abort(new Error('interrupted'));
      },
      ended: runCli(args, deps).then((code) => ({ code, ...printed })),
    };
  }
}

/** What a terminal showed, one drawing after the other, without its control sequences. */
export function framesOf(started: Started): string[] {
  return started
    .out()
    .split('\u001b[J')
    .map((frame) => frame.replaceAll(/\u001b\[\w+|\r/g, '').replaceAll(/^\n|\n$/g, ''));
}
