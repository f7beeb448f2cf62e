import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AppError, messageOf, type Clock, type Log } from '../base/index.ts';
import {
  AccountTokens,
  ApiServer,
  Authenticator,
  bootstrap,
  createControlClient,
  HttpServer,
  kubeconfigText,
  loadCredentials,
  ObjectStore,
  StoreFile,
  writePrivate,
  type ControlClient,
} from './apiserver/index.ts';
import { startControllers, type ControllerDeps, type Running } from './controllers/index.ts';
import { canRunPods, startNode, type PodProcesses } from './node/index.ts';
import { servicePrefixOf, SIMULATED_SERVICES } from './service-network.ts';

export interface PocketOptions {
  /** Where the cluster's files are; made when it is not there. */
  dir: string;
  /** As in the context `pocket-NAME`. */
  name: string;
  /** 0 lets the system choose. */
  port: number;
  clock: Clock;
  log: Log;
  /** Plain HTTP is for measuring; kubectl sends no token over it. */
  tls?: boolean;
  /** What pods need to be processes; without it they are simulated. */
  pods?: PodProcesses;
}

/** How the pods of a cluster are run. */
export interface PodsMode {
  areProcesses: boolean;
  /** A sentence for people. */
  message: string;
}

export interface Pocket {
  url: string;
  /** The path of the kubeconfig that was written. */
  kubeconfig: string;
  token: string;
  /** The certificate authority in PEM. */
  ca: string;
  /** The cluster for code in the same process. */
  client: ControlClient;
  pods: PodsMode;
  close(): Promise<void>;
}

/** Starts one pocket cluster on the loopback interface: API server, controllers and node. It is ready when this resolves. */
export async function startPocket(options: PocketOptions): Promise<Pocket> {
  const { dir, name, clock, log } = options;
  makeDirectory(dir);
  const store = openStore(join(dir, 'pocket.db'), log);
  try {
    const areProcesses = options.pods !== undefined && canRunPods();
    const servicePrefix = areProcesses ? servicePrefixOf(dir, Math.random) : SIMULATED_SERVICES;
    const credentials = loadCredentials(dir, clock.now(), `${servicePrefix}0.1`);
    const accounts = new AccountTokens({ secret: credentials.token, store, now: () => clock.now() });
    const authenticator = new Authenticator(credentials.token, accounts);
    const api = new ApiServer({
      store,
      clock,
      log,
      random: Math.random,
      newUid: randomUUID,
      identifyToken: authenticator.ofToken.bind(authenticator),
      issueToken: accounts.issue.bind(accounts),
      servicePrefix,
    });
    await bootstrap(api);
    const isTls = options.tls ?? true;
    const { serverKey: key, serverCert: cert, ca, token } = credentials;
    const http = new HttpServer({ api, authenticator, log, ...(isTls ? { credentials: { key, cert, ca } } : {}) });
    const port = await http.listen(options.port);
    const url = `${isTls ? 'https' : 'http'}://127.0.0.1:${port}`;
    const kubeconfig = join(dir, 'kubeconfig');
    const client = createControlClient(api);
    let controllers: Running;
    let pods: PodsMode = { areProcesses: false, message: '' };
    const startThisNode = async (deps: ControllerDeps): Promise<Running> => {
      const node = await startNode(deps, { processes: options.pods, dataDir: dir, servicePrefix, apiPort: port });
      api.connections = node.connections;
      pods = { areProcesses: node.connections !== undefined, message: node.message };
      return node;
    };
    try {
      controllers = await startControllers({ client, clock, log, dataDir: dir, caPem: ca, startNode: startThisNode });
      writePrivate(kubeconfig, kubeconfigText(name, url, credentials));
    } catch (error) {
      await http.close();
      throw error;
    }
    const stopping = new AbortController();
    const running = api.run(stopping.signal);
    const close = async (): Promise<void> => {
      stopping.abort();
      api.hub.close();
      await Promise.all([http.close(), controllers.close(), running]);
      store.close();
    };
    return { url, kubeconfig, token, ca, client, pods, close };
  } catch (error) {
    store.close();
    throw error instanceof AppError
      ? error
      : new AppError('invalidConfig', `starting the pocket cluster in ${dir} failed: ${messageOf(error)}`, {
          cause: error,
        });
  }
}

/** A file that cannot be read whole is left as it is. */
function openStore(path: string, log: Log): ObjectStore {
  const file = new StoreFile(path);
  try {
    return new ObjectStore(file, log);
  } catch (error) {
    file.close();
    throw error;
  }
}

function makeDirectory(dir: string): void {
  try {
    mkdirSync(dir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new AppError('invalidConfig', `making the pocket directory ${dir} failed: ${messageOf(error)}`, {
      cause: error,
    });
  }
}
