import type { Clock } from '../base/index.ts';
import type { PhasePreview } from '../core/action/index.ts';
import type { KubeClient, KubeObject } from '../edge/kube/index.ts';
import type { Printer } from './print/printer.ts';

/** Which cluster the flags name; the current context of the usual kubeconfig where they name none. */
export interface ClusterChoice {
  kubeconfig?: string;
  context?: string;
}

export interface ClusterInfo {
  context: string;
  server: string;
  version: string;
}

/** A cluster for the length of one command. */
export interface ClusterSession extends AsyncDisposable {
  kube: KubeClient;
  /** The context's, by which the Headway server knows the cluster too. */
  name: string;
  /** The context's, for objects that name none. */
  namespace?: string;
}

export interface ServerRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the server's address, such as `/api/session`, encoded. */
  path: string;
  query?: Readonly<Record<string, string | undefined>>;
  body?: unknown;
  /** The cluster that is meant, as the server calls it. Only then is the user's token sent. */
  cluster?: string;
}

/**
 * The Headway server, asked as the user of the kubeconfig. Answers of 4xx and 5xx are AppErrors with the server's own
 * code, message and hint; one that cannot be reached is `unreachable`.
 */
export interface ServerApi {
  url: string;
  /** By a flag or the environment; else it was found on this machine. */
  isNamed: boolean;
  /** The context whose user asks; absent in a pod. */
  context?: string;
  ask(request: ServerRequest): Promise<unknown>;
  /** The answer's lines as they come, for as long as the server sends them. */
  lines(request: ServerRequest, signal?: AbortSignal): AsyncIterable<string>;
}

/** What `headway server` was told. Absent means the default of the server, not of the command line. */
export interface ServeOptions {
  kubeconfig?: string;
  contexts: readonly string[];
  namespace: string;
  listen: string;
  /** Names under which the server is reached. */
  allowedHosts: readonly string[];
  fsRoot?: string;
  /** The folder below which files are read that a location names. */
  credentialsRoot?: string;
  /** What credentials of locations may do besides holding keys. */
  allowCredentialPlugins?: readonly string[];
  tlsCert?: string;
  tlsKey?: string;
  concurrentBackups: number;
  concurrentRestores: number;
  uploader: 'kopia' | 'stream';
  /** How many movers run at a time. */
  movers: number;
  moversPerNode: number;
  /** The image of movers. */
  moverImage?: string;
  /** Whether volumes are copied file by file where a backup does not say. */
  defaultVolumesToFsBackup: boolean;
  /** Names of engines, or `none`; everything that this version can do when absent. */
  engines?: readonly string[];
  forceBesideVelero: boolean;
  rotateKeys: boolean;
  logLevel: 'debug' | 'info' | 'warn' | 'error';
}

export interface InstallOptions extends ClusterChoice {
  namespace: string;
  crdsOnly: boolean;
  /** The file to write for a server outside the cluster; without it no account is made. */
  serverKubeconfig?: string;
  /** The server inside the cluster; without it there is none. */
  inCluster?: InClusterOptions;
}

export interface InClusterOptions {
  image: string;
  /** Names under which the page is reached, besides those of its Service. */
  allowedHosts: readonly string[];
  /** The Secret with the page's certificate; one is made if absent. */
  tlsSecret?: string;
  /** Until the server runs. */
  wait: boolean;
}

/** Puts what Headway needs into a cluster, and takes it out again. Both say each thing they did, in order. */
export interface Installer {
  install(options: InstallOptions, tell: (line: string) => void): Promise<void>;
  /** Tells what goes and what stays, then asks; `confirm` throws when the answer is no. */
  uninstall(
    options: ClusterChoice & { namespace: string; force: boolean },
    asking: { tell: (line: string) => void; confirm: () => Promise<void> },
  ): Promise<void>;
}

export interface PocketStatus {
  name: string;
  state: 'running' | 'stopped';
  server?: string;
  pid?: number;
  startedAt?: string;
  kubeconfig: string;
  /** How its pods are run, in a sentence; only while it runs. */
  pods?: string;
}

/** How a pocket cluster is started. */
export interface PocketOptions {
  port?: number;
  pods: 'processes' | 'simulated';
  /** Programs of this machine that movers use in pods of Headway; those on the PATH if absent. */
  kopia?: string;
  restic?: string;
}

export interface PocketStart {
  status: PocketStatus;
  readyMs: number;
  alreadyRunning: boolean;
  /** The port of the last start, when another program has it now. */
  movedFrom?: number;
}

/** The pocket clusters of this machine. */
export interface PocketControl {
  up(name: string, options: PocketOptions): Promise<PocketStart>;
  down(name: string, options: { purge: boolean }): Promise<{ wasRunning: boolean }>;
  status(name?: string): Promise<PocketStatus[]>;
  kubeconfig(name: string): Promise<string>;
  /** Serves in the foreground until the signal is aborted; `up` starts a process that does this. */
  run(name: string, options: PocketOptions, signal: AbortSignal): Promise<void>;
}

export interface DemoOptions {
  demo: boolean;
  /** A demo's cluster is deleted when it stops, unless this is set. */
  keep: boolean;
  /** Of the pocket cluster's API. */
  port?: number;
  pods: PocketOptions['pods'];
  kopia?: string;
  restic?: string;
  uploader: 'kopia' | 'stream';
  movers: number;
  moversPerNode: number;
  defaultVolumesToFsBackup: boolean;
  /** Of the page. */
  listen: string;
  credentialsRoot?: string;
}

export interface Demo {
  run(options: DemoOptions, output: Printer, signal: AbortSignal): Promise<void>;
}

/** Everything a command may use. Loaders are lazy, so that `--help` pays for nothing it does not need. */
/** What a dry run of an ActionSet tells. */
export interface SetPreview {
  /** Why it would be refused. */
  problems: string[];
  actions: { action: string; blueprint: string; phases: PhasePreview[] }[];
}

export interface CliDeps {
  version: string;
  nodeVersion: string;
  /** How the user started it, for messages: `headway` or `kubectl headway`. */
  programName: string;
  output: Printer;
  signal: AbortSignal;
  clock: Clock;
  cluster(choice: ClusterChoice): Promise<ClusterInfo | undefined>;
  connect(choice: ClusterChoice): Promise<ClusterSession>;
  /** Undefined when none was named and none is running on this machine. */
  server(choice: ClusterChoice & { server?: string }): Promise<ServerApi | undefined>;
  /** The lines of a gzipped text behind a link of a DownloadRequest. `notFound` when there is no such file. */
  download(url: string): AsyncIterable<string>;
  readFile(path: string): Promise<string>;
  /** What an ActionSet would do, with the rights of this client; nothing is created. */
  previewActions(kube: KubeClient, set: KubeObject): Promise<SetPreview>;
  /** Undefined when there is nobody to ask: input is no terminal. */
  confirm(question: string): Promise<boolean | undefined>;
  pocket(): Promise<PocketControl>;
  demo(): Promise<Demo>;
  /** Runs until the program is told to stop. */
  serve(options: ServeOptions): Promise<void>;
  installer(): Promise<Installer>;
  /** Does the job in this file, and returns the exit code. */
  mover(file: string): Promise<number>;
}
