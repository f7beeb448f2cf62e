import type { Clock, Log } from '../../base/index.ts';
import type { ControlClient } from '../apiserver/client/index.ts';
import type { OwnerIndex } from './owner-index.ts';

export type { AnyChange, Change, ControlClient, TypeOf } from '../apiserver/client/index.ts';

/** What every controller gets. */
export interface ControllerDeps {
  client: ControlClient;
  clock: Clock;
  log: Log;
  owners: OwnerIndex;
}

/** Something that runs until it is closed. */
export interface Running {
  close(): Promise<void>;
}
