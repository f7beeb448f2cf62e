import type { ResourceType } from '../api/index.ts';
import type { Clock, Log } from '../base/index.ts';
import type {
  ActionPlanAnswer,
  Namespaces,
  PlanAnswer,
  SelectionAnswer,
  SessionGroup,
  VerifyAnswer,
} from '../core/operations/index.ts';
import type { ItemKey } from '../core/progress/index.ts';
import type { KubeClient, KubeObject } from '../edge/kube/index.ts';
import type { Store } from '../edge/store/index.ts';
import type { SeatLimits } from './live/stream-seats.ts';
import type { Metrics } from './metrics.ts';
import type { TurnLimits } from './turns.ts';

export interface ServerOptions {
  host: string;
  /** 0 lets the system choose. */
  port: number;
  /** PEM. Without it the server speaks plain HTTP, and only on a loopback address. */
  tls?: { cert: string; key: string };
  /** Plain HTTP beyond loopback all the same, such as behind a proxy that ends TLS. */
  insecure?: boolean;
  /** Names under which the server is reached, besides those of the loopback interface and the address of the connection. */
  hosts?: readonly string[];
  /** How the server is reached from outside, for links; the address it listens on if absent. */
  publicUrl?: string;
  /** The built page; a sentence stands in for it while it is not there. */
  pageDir?: string;
  /** For archives that are looked into; emptied by whoever makes it. */
  spoolDir: string;
  version: string;
  /** 32 bytes. Sessions and links outlive a restart when it stays the same. */
  key: Uint8Array;
  /** Answers a nonce as only this server can, for commands that found it by its record on this machine. */
  prove?: (nonce: string) => string;
  /** Where sessions that were logged out are written down. */
  endedSessionsFile: string;
  limits?: Partial<ServerLimits>;
}

export interface ServerLimits extends SeatLimits {
  bodyBytes: number;
  /** From the first byte to the end of the headers, and of the body. */
  headersMs: number;
  bodyMs: number;
  /** A stream whose reader takes nothing for so long is closed. */
  stuckMs: number;
  heartbeatMs: number;
  /** Changes of this long go out together. */
  batchMs: number;
  /** How old a check of somebody's rights may be. */
  rightsMs: number;
  /** How long a token that was refused is refused without asking. */
  refusedMs: number;
  requestsPerSecond: number;
  /** A request that was let in may be followed by so many at once. */
  requestsBurst: number;
  /** Tokens that no cluster takes, and links that are not ours, from one address. */
  guessesPerMinute: number;
  /** Asking clusters about users. */
  reviews: TurnLimits;
  /** Dry runs, verifying and comparing: each reads a whole archive or cluster. */
  heavy: TurnLimits;
  /** Looking into archives, which are kept for the next look. */
  looks: TurnLimits;
  /** Of archives on disk that are kept for the next look. */
  archiveBytes: number;
}

/** What a reflector's cache offers. */
export interface ObjectSource {
  values(): Iterable<KubeObject>;
  /** Hears of everything that is there already as added, then of every change. Returns the way out. */
  subscribe(listener: (change: ObjectChange) => void): () => void;
}

export interface ObjectChange {
  type: 'added' | 'updated' | 'deleted';
  object: KubeObject;
}

/** A store that stays open until whoever opened it lets it go. */
export interface OpenStore extends Disposable {
  readonly store: Store;
  /** One use more, for work that outlives this one. */
  share(): OpenStore;
}

export interface ClusterPort {
  name: string;
  /** Where the objects of velero.io are. */
  namespace: string;
  /** Where the objects of each group are; those of cr.kanister.io are in all namespaces. */
  namespaces: Namespaces;
  /** `link`: whoever has the one-time link may do what the server itself may. */
  login: 'token' | 'link';
  /** As the server itself. */
  kube: KubeClient;
  /** As the bearer of a token, and with nothing of the server's own. The server closes it. */
  as(token: string): KubeClient;
  /** What is watched of a kind, which is empty while the cluster has no such kind; undefined for a kind that is not. */
  source(type: ResourceType): ObjectSource | undefined;
  /** What is seen and done of each API group there. */
  groups(): SessionGroup[];
  /** Why the server cannot work on the cluster; undefined while it can. */
  problem?(): string | undefined;
  /** Whether everything was listed once. */
  isReady(): boolean;
  /** Since when what is watched may be old because the cluster does not answer; undefined while it is seen. */
  unseenSince(): number | undefined;
  stores: { open(location: string, signal?: AbortSignal): Promise<OpenStore> };
  logs: {
    tail(uid: string, signal: AbortSignal): AsyncIterable<Uint8Array> | undefined;
    /** Of an operation that has ended and whose log is stored nowhere: its last lines, where they are kept. */
    endOf(uid: string, signal: AbortSignal): Promise<Buffer | undefined>;
  };
  planner: Planner;
}

/** What the engines can tell about an object without running it. */
export interface Planner {
  /** Dry runs by kind, with the rights of the client given: every kind that has the verb `plan`. */
  plans: Readonly<Record<string, (input: PlanInput) => Promise<PlanAnswer | ActionPlanAnswer>>>;
  /** By kind: whether the names in an object match something. */
  selections: Readonly<Record<string, (input: PlanInput) => Promise<SelectionAnswer>>>;
  /** What the backup would hold if it ran now; the problems are known when there are no more keys. */
  items(input: PlanInput): Promise<{ keys: AsyncIterable<ItemKey>; problems(): string[] }>;
  /** Reads the whole archive again. */
  verify(backup: string, signal: AbortSignal): Promise<VerifyAnswer>;
  /** Lists the files of a volume that kopia has copied, by a mover, which is gone when the promise is settled. */
  listVolume(volume: KopiaVolume, call: VolumeListing): Promise<void>;
}

/** A volume of a backup, in a repository of kopia. */
export interface KopiaVolume {
  backup: string;
  /** Of this list alone. */
  id: string;
  repositoryNamespace: string;
  snapshotID: string;
  maxBytes: number;
}

export interface VolumeListing {
  signal: AbortSignal;
  /** Gets files as lines of JSON, in the order of their paths; from the beginning whenever it is called. */
  keep: (list: AsyncIterable<Uint8Array>) => Promise<void>;
  onProgress: (entries: number) => void;
  onNote: (text: string) => void;
  onWaiting: (cause: string | undefined) => void;
}

export interface PlanInput {
  kube: KubeClient;
  object: KubeObject;
  signal: AbortSignal;
}

export interface ServerPorts {
  clusters: readonly ClusterPort[];
  clock: Clock;
  log: Log;
  /** Who changed what; told also when the log is to say little. */
  audit: Log;
  metrics: Metrics;
  /** Somebody has logged in by a link, which is used up now. */
  onLinkUsed?: (() => void) | undefined;
}
