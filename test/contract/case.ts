import type { Api } from './api.ts';

/** Where one run of a case plays: a namespace that only it uses and that exists already. */
export interface Stage {
  api: Api;
  namespace: string;
}

/**
 * One fact about the API. `run` returns what it observed; after normalising, both servers must have given the same.
 * A case where pocket differs on purpose says why, and then must really differ: an outdated excuse fails too.
 */
export interface Case {
  name: string;
  run(stage: Stage): Promise<unknown>;
  pocketDiffers?: string;
}

export interface CaseGroup {
  /** Names the golden file. */
  group: string;
  cases: readonly Case[];
}
