import type { PodConnections } from '../apiserver/connect/index.ts';
import type { Running } from '../controllers/ports.ts';
import type { HeadwayProgram } from './images/index.ts';

/** What pods need to be processes of this machine. */
export interface PodProcesses {
  /** A PATH, for the programs that pods are made with. */
  searchPath: string;
  /** For pods that run Headway itself. */
  program?: HeadwayProgram;
  /** Folders of Headway that no pod may see, besides the cluster's own. */
  hidden?: readonly string[];
  /** Folders with the stores of locations: hidden as well, but a mover of Headway may mount what is below them. */
  stores?: readonly string[];
  /** Folders of people, which no pod finds in its root; mounting one is another matter. */
  homes?: readonly string[];
  /** Without namespaces, also where the machine has them. */
  isPlain?: boolean;
}

export interface NodeOptions {
  /** Without it all pods are simulated. */
  processes?: PodProcesses | undefined;
  /** The cluster's own folder. */
  dataDir: string;
  /** The first half of the addresses of services. */
  servicePrefix: string;
  /** Of the API server. */
  apiPort: number;
}

export interface StartedNode extends Running {
  /** How pods are run here, in a sentence. */
  message: string;
  /** Undefined where nothing runs that could be talked to. */
  connections: PodConnections | undefined;
}
