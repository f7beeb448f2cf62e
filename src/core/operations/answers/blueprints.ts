import type { JsonObject } from '../../../base/index.ts';

/** `GET /api/blueprints` */
export interface BlueprintsAnswer {
  /** By namespace and name, at most 1000. */
  blueprints: BlueprintRow[];
  /** True when there are more. */
  isCut: boolean;
  /** Where you may not list any, in sentences. */
  notes: string[];
}

export interface BlueprintRow {
  cluster: string;
  namespace: string;
  name: string;
  createdAt: string;
  /** Their names. */
  actions: string[];
  phases: number;
  /** Mistakes for which something fails, and what is only likely a mistake. */
  errors: number;
  warnings: number;
}

/** `GET /api/blueprints/:namespace/:name` */
export interface BlueprintAnswer extends BlueprintRow {
  problems: BlueprintProblem[];
  /** The custom resource, without managedFields. */
  object: JsonObject;
}

/** Something that is wrong with a Blueprint. */
export interface BlueprintProblem {
  action?: string;
  /** The name of the phase, or its number where it has none. */
  phase?: string;
  /** With its path: `command[2]`. */
  argument?: string;
  line?: number;
  message: string;
  /** `run`: no action set with it begins. `phase`: what comes before has run. `nothing`: likely a mistake. */
  stops: 'run' | 'phase' | 'nothing';
}
