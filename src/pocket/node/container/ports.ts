import type { Clock, Log } from '../../../base/index.ts';
import type { ControlClient } from '../../controllers/ports.ts';
import type { NodeSize } from '../env/index.ts';
import type { FoundImage } from '../images/index.ts';
import type { Sandbox } from '../process/index.ts';
import type { EventRecorder } from './event-recorder.ts';
import type { Hosts } from '../network/index.ts';
import type { UsageWatch } from './usage-watch.ts';

/** What the workers of all pods share. */
export interface WorkerDeps {
  client: ControlClient;
  clock: Clock;
  log: Log;
  sandbox: Sandbox;
  events: EventRecorder;
  hosts: Hosts;
  usage: UsageWatch;
  starts: Turnstile;
  node: NodeSize;
  /** Of the machine: owners of files can be changed. */
  isRoot: boolean;
  addressOf(uid: string): string;
  findImage(image: string): FoundImage;
  /** The folder with one folder for each pod. */
  podsDir: string;
  /** Below which the directories of claims are. */
  claimsDir: string;
  /** Folders of Headway that no pod may see, not even when it asks for them. */
  hidden: readonly string[];
  /** Of those: what a mover of Headway may mount. */
  stores: readonly string[];
  /** Folders that no pod finds in its root. */
  masks: readonly string[];
}

/** Lets so many through at a time. */
export interface Turnstile {
  pass<T>(work: () => Promise<T>): Promise<T>;
}

export function turnstile(width: number): Turnstile {
  const waiting: (() => void)[] = [];
  let inside = 0;
  return {
    pass: async (work) => {
      if (inside >= width) await new Promise<void>((resolve) => waiting.push(resolve));
      else inside += 1;
      try {
        return await work();
      } finally {
        // Whoever comes next takes the place.
        const next = waiting.shift();
        if (next === undefined) inside -= 1;
        else next();
      }
    },
  };
}
